import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

/// The recorder on stacks that the program allocates: small ones, and many.
@Suite(.startsPrograms) struct StackTests {
  static func source(_ name: String) throws -> String {
    try String(contentsOf: BuiltPackage.root.appendingPathComponent("Tests/Sandbox/\(name)"), encoding: .utf8)
  }

  /// Bytes of an alternate signal stack that each operation needs at most.
  private func needs(_ output: String) -> [String: Int] {
    var needs: [String: Int] = [:]
    for line in output.split(separator: "\n") {
      let fields = line.split(separator: "\t")
      needs[String(fields[0])] = fields.dropFirst().compactMap { Int($0) }.max()
    }
    return needs
  }

  @Test(
    "In a signal handler every operation uses at most 2 KiB more stack than without the recorder",
    .timeLimit(.minutes(60)), arguments: ["", ":zombies=1", ":all-classes=1"])
  func smallStack(_ options: String) throws {
    let program = try TestProgram(try Self.source("StackUse.swift"))
    try withTemporaryFolder { folder in
      // The dynamic linker resolves functions at start; otherwise the first call of each needs more stack.
      var environment = ["LD_BIND_NOW": "1", "SWIFT_BACKTRACE": "enable=no"]
      let plain = needs(try CommandResult.run(program.path, environment: environment).output)
      environment["LD_PRELOAD"] = BuiltPackage.preloadableProbe
      environment["LIFELINE_OPTIONS"] = "output=\(folder)/trace" + options
      let traced = needs(try CommandResult.run(program.path, environment: environment).output)
      #expect(plain.count == 8 && traced.count == 8)
      for (operation, need) in plain {
        let more = (traced[operation] ?? .max) - need
        #expect(more <= 2048, "\(operation): \(more) bytes more than \(need)")
      }
      print("StackTests\(options): at most \(plain.map { (traced[$0.key] ?? 0) - $0.value }.max() ?? 0) bytes more")
    }
  }

  @Test(
    "Coroutines on stacks of their own are recorded completely, without reading the memory map at each switch",
    .timeLimit(.minutes(60)), arguments: [false, true])
  func coroutines(inHeap: Bool) throws {
    let library = try TestProgram(
      try Self.source("coroutines.c"), options: ["-shared", "-fPIC", "-O1"], file: "coroutines.c", compiler: "clang")
    let source = """
      import Glibc
      final class Node { var value = 1 }
      nonisolated(unsafe) var kept: [Node?] = Array(repeating: nil, count: 20)
      typealias Run = @convention(c) (Int32, Int32, Int32, @convention(c) (Int32, Int32) -> Void) -> Void
      func reads() -> Int {
        let file = open("/proc/self/io", O_RDONLY)
        var text = [CChar](repeating: 0, count: 512)
        read(file, &text, 511)
        close(file)
        let line = String(cString: text).split(separator: "\\n").first { $0.hasPrefix("syscr: ") }!
        return Int(line.dropFirst(7))!
      }
      let run = unsafeBitCast(dlsym(dlopen(CommandLine.arguments[1], RTLD_NOW), "run"), to: Run.self)
      let before = reads()
      run(20, 1000, Int32(CommandLine.arguments[2])!, { number, round in
        let node = Node()
        node.value = Int(round)
        kept[Int(number)] = node
      })
      let more = reads() - before
      print(kept.count, more < 2000 ? "few" : "\\(more) reads")
      """
    let run = try RecordedRun(try TestProgram(source), [library.path, inHeap ? "1" : "0"])
    #expect(run.behavesTheSame)
    #expect(run.plain.output == "20 few\n")
    #expect(run.totals("Node")?.allocated == 20_000)
    #expect(run.totals("Node")?.freed == 19_980)
  }
}
