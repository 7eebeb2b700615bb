import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

/// Programs in a sandbox that denies system calls of the recorder.
@Suite(.startsPrograms) struct SandboxTests {
  /// Runs a program with one system call denied (Tests/Sandbox/deny.c).
  static func deny() throws -> TestProgram {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Sandbox/deny.c"), encoding: .utf8)
    return try TestProgram(source, options: ["-O1"], file: "deny.c", compiler: "clang")
  }

  @Test(
    "If process_vm_readv is denied, objects are still recorded, without false findings",
    .timeLimit(.minutes(60)), arguments: [1, 13, 38])
  func refusedRead(_ error: Int) throws {
    let source = """
      final class Node { weak var other: Node?; var value = 1 }
      var nodes: [Node] = []
      for _ in 0..<100 { let node = Node(); node.other = nodes.last; nodes.append(node) }
      nodes.removeLast(40)
      print(nodes.count)
      """
    let program = try TestProgram(source), deny = try Self.deny()
    let run = try RecordedRun(deny, ["310", String(error), program.path], options: "on-use-after-free=stop")
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "60\n" && run.plain.status == 0)
    #expect(run.totals("Node")?.allocated == 100)
    #expect(run.totals("Node")?.freed == 40)
  }

  @Test(
    "A thread's first event inside dl_iterate_phdr does not deadlock while another thread unloads a library",
    .timeLimit(.minutes(60)))
  func dynamicLinkersLock() throws {
    let library = try TestProgram(
      "int nothing(void) { return 1; }", options: ["-shared", "-fPIC"], file: "nothing.c", compiler: "clang")
    let source = """
      import Foundation
      final class Node { var value = 1 }
      nonisolated(unsafe) var kept: [Node] = []
      nonisolated(unsafe) var stopped = false
      typealias Visit = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
      typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
      let iterate = unsafeBitCast(dlsym(nil, "dl_iterate_phdr"), to: Iterate.self)
      let path = CommandLine.arguments[1]
      let ended = DispatchSemaphore(value: 0)
      Thread {
        while !stopped { dlclose(dlopen(path, RTLD_NOW)) }
        ended.signal()
      }.start()
      for _ in 0..<500 {
        let done = DispatchSemaphore(value: 0)
        Thread {
          _ = iterate({ _, _, _ in let node = Node(); kept.append(node); return 1 }, nil)
          done.signal()
        }.start()
        done.wait()
      }
      stopped = true
      ended.wait()
      print(kept.count)
      """
    let run = try RecordedRun(try TestProgram(source), [library.path])
    #expect(run.behavesTheSame && run.plain.output == "500\n")
    #expect(run.totals("Node")?.allocated == 500)
  }
}
