import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

/// Forks at the worst moments: no thread of the child finishes what the parent's other threads were doing.
@Suite(.startsPrograms) struct ForkTests {
  /// Threads allocate and free objects while the main thread forks children that do the same and exit.
  static func busy() throws -> String {
    try String(contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Sandbox/Forks.swift"), encoding: .utf8)
  }

  @Test(
    "Children forked while other threads free objects and use new classes behave as without the recorder",
    .timeLimit(.minutes(60)),
    arguments: ["", "zombies=1:quarantine=65536", "zombies=1:quarantine=65536:guard=*.Guarded"])
  func busyForks(_ options: String) throws {
    let run = try RecordedRun(try TestProgram(try Self.busy(), options: ["-Onone"]), ["60"], options: options)
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "60 children, 60 as expected\n")
    #expect(run.others.count == 60)
    #expect(run.others.allSatisfy { $0.problems == [] })
  }

  @Test("A forked child records objects of classes that its parent had not used", .timeLimit(.minutes(60)))
  func newClass() throws {
    let source = """
      import Foundation
      final class Known { var value = 1 }
      final class New { var value = 1 }
      let fork = unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> Int32).self)
      let before = (0..<10).map { _ in Known() }
      let child = fork()
      if child == 0 {
        let mine = (0..<20).map { _ in New() }
        _exit(Int32(mine.count))
      }
      var status: Int32 = 0
      waitpid(child, &status, 0)
      print((status >> 8) & 0xFF, before.count)
      """
    let run = try RecordedRun(try TestProgram(source))
    #expect(run.behavesTheSame && run.plain.output == "20 10\n")
    let child = try #require(run.others.first)
    #expect(try allocations(ofNew: child) == 20)
  }

  private func allocations(ofNew trace: Trace) throws -> Int {
    let reader = trace.events()
    var event = Event()
    var count = 0
    while try reader.next(&event) {
      if event.kind == .allocate, trace.tables.classes[Int(event.argument0)]?.name.hasSuffix(".New") == true {
        count += 1
      }
    }
    return count
  }
}
