@testable import LifelineRecording
import Testing

@Suite struct ChildEnvironmentTests {
  private func texts(_ environment: ChildEnvironment) -> [String] {
    environment.entries.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("Variables keep their order, and an existing one is replaced in place")
  func order() {
    var environment = ChildEnvironment(entries: ["B=2", "A=1", "AB=3", "odd"])
    environment.set("A", to: Array("one".utf8))
    environment.set("C", to: [])
    #expect(texts(environment) == ["B=2", "A=one", "AB=3", "odd", "C="])
    #expect(environment.value(of: "AB") == Array("3".utf8))
    #expect(environment.value(of: "odd") == nil)
  }

  @Test("The probe comes before libraries that are already preloaded")
  func preload() {
    var environment = ChildEnvironment(entries: ["LD_PRELOAD=/a.so /b.so"])
    environment.preload("/probe.so")
    #expect(texts(environment) == ["LD_PRELOAD=/probe.so:/a.so /b.so"])
    for empty in [[], ["LD_PRELOAD="]] {
      var environment = ChildEnvironment(entries: empty)
      environment.preload("/probe.so")
      #expect(texts(environment) == ["LD_PRELOAD=/probe.so"])
    }
  }
}
