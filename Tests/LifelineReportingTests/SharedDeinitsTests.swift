import LifelineLifetimes
import Testing

@testable import LifelineReporting

struct SharedDeinitsTests {
  private static let deinits = SharedDeinits(
    classes: ["App.Inner", "App.Base", "App.Outer.Box<Swift.Int>", "App.Other"], superclasses: ["App.Inner": "App.Base"]
  )

  /// The first frame of a backtrace from an object's deinit, "function line".
  private static func marked(_ function: String, from className: String) -> String {
    let backtrace = SampleReport.backtrace("final-release", event: 1, [SampleReport.frame(function, "/App.swift", 7)])
    let result = deinits.marked(backtrace, from: ObjectID(className: className, number: 1)).frames[0]
    return "\(result.function) \(result.line ?? 0)"
  }

  @Test("A deinit that is another class's is called merged, and has no line")
  func other() {
    #expect(Self.marked("Other.__deallocating_deinit", from: "App.Inner") == "merged Other.__deallocating_deinit 0")
    #expect(
      Self.marked("Outer.Box<A>.__deallocating_deinit", from: "App.Inner")
        == "merged Outer.Box<A>.__deallocating_deinit 0")
  }

  @Test("A deinit of the object's own class, of a superclass, or of what is no known class keeps its name and line")
  func own() {
    #expect(Self.marked("Inner.__deallocating_deinit", from: "App.Inner") == "Inner.__deallocating_deinit 7")
    #expect(Self.marked("Base.__deallocating_deinit", from: "App.Inner") == "Base.__deallocating_deinit 7")
    #expect(
      Self.marked("Outer.Box<A>.__deallocating_deinit", from: "App.Outer.Box<Swift.Int>")
        == "Outer.Box<A>.__deallocating_deinit 7")
    #expect(Self.marked("Local #1.__deallocating_deinit", from: "App.Inner") == "Local #1.__deallocating_deinit 7")
    #expect(Self.marked("Inner.stop()", from: "App.Other") == "Inner.stop() 7")
  }
}
