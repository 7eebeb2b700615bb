import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct QueueTests {
  private static let source = """
    import Dispatch
    class Box { var value = 1 }
    final class OnMain: Box {}
    final class InSync: Box {}
    final class InAsync: Box {}
    final class InTarget: Box {}
    final class InInner: Box {}
    final class AfterInner: Box {}
    final class InConcurrent: Box {}
    final class InSystem: Box {}
    final class OnMainQueue: Box {}
    final class OnMainActor: Box {}
    final class InNameless: Box {}
    final class InLater: Box {}
    @inline(never) func make(_ box: Box) -> Int { box.value }
    func add(_ value: Int) { precondition(value == 1) }

    let store = DispatchQueue(label: "store"), cache = DispatchQueue(label: "cache")
    let part = DispatchQueue(label: "part", target: store)
    let parallel = DispatchQueue(label: "parallel", attributes: .concurrent)
    let group = DispatchGroup()
    add(make(OnMain()))
    store.sync { add(make(InSync())) }
    add(make(OnMain()))
    store.async(group: group) { add(make(InAsync())) }
    part.async(group: group) { add(make(InTarget())) }
    cache.async(group: group) {
      store.sync { add(make(InInner())) }
      add(make(AfterInner()))
    }
    parallel.async(group: group) { add(make(InConcurrent())) }
    DispatchQueue.global().async(group: group) { add(make(InSystem())) }
    DispatchQueue(label: "").async(group: group) { add(make(InNameless())) }
    group.wait()
    // Queues at addresses that others had, with other labels.
    for index in 0..<40 { DispatchQueue(label: "later-\\(index)").sync { add(make(InLater())) } }
    DispatchQueue.main.async { add(make(OnMainQueue())) }
    Task.detached {
      await MainActor.run { add(make(OnMainActor())) }
      print("done")
      exit(0)
    }
    dispatchMain()
    """

  @Test(
    "Each event names the serial queue whose code ran, by its label",
    arguments: [["-Onone"], ["-O"], ["-O", "-static-stdlib"]])
  func labels(_ options: [String]) throws {
    let run = try RecordedRun(try TestProgram("import Foundation\n" + Self.source, options: options))
    #expect(run.behavesTheSame && run.trace.recording.knowsQueues)
    #expect(run.plain.output == "done\n")
    var labels: [String: [String]] = [:]
    let reader = run.trace.events()
    var event = Event()
    while try reader.next(&event) {
      guard event.kind == .allocate, let record = run.trace.tables.classes[Int(event.argument0 & 0xFFFF_FFFF)] else {
        continue
      }
      let name = String(record.name.split(separator: ".").last ?? "")
      labels[name, default: []].append(run.trace.queueLabel(event.queue) ?? "-")
    }
    let expected = [
      "OnMain": ["com.apple.main-thread", "com.apple.main-thread"], "InSync": ["store"], "InAsync": ["store"],
      "InTarget": ["store"], "InInner": ["store"],
      "AfterInner": ["cache"], "InConcurrent": ["-"], "InSystem": ["-"], "InNameless": ["-"],
      "OnMainQueue": ["com.apple.main-thread"], "OnMainActor": ["com.apple.main-thread"],
      "InLater": (0..<40).map { "later-\($0)" },
    ]
    for (name, labelsOfClass) in expected { #expect(labels[name] == labelsOfClass, "\(name)") }
  }
}
