import Foundation
import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct MemoryTests {
  /// Prints the process's proportional set size (smaps_rollup: its share of every page) when all its threads have done
  /// their work and before any of them ends.
  static let source = """
    import Foundation
    final class Box { var value = 0 }
    @inline(never) func walk(_ bits: UInt64, _ depth: Int, _ box: Box) -> Int {
      if depth == 0 { let copy = box; return withExtendedLifetime(copy) { copy.value } }
      return bits & 1 == 0 ? even(bits >> 1, depth - 1, box) + 1 : odd(bits >> 1, depth - 1, box) + 2
    }
    @inline(never) func even(_ bits: UInt64, _ depth: Int, _ box: Box) -> Int { walk(bits, depth, box) + 3 }
    @inline(never) func odd(_ bits: UInt64, _ depth: Int, _ box: Box) -> Int { walk(bits, depth, box) + 5 }
    let threads = Int(CommandLine.arguments[1])!, rounds = Int(CommandLine.arguments[2])!, \
    distinct = UInt64(CommandLine.arguments[3])!
    let over = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
    for _ in 0..<threads {
      Thread {
        let box = Box()
        for round in 0..<rounds { _ = walk(UInt64(round) % distinct, 20, box) }
        done.signal()
        over.wait()
      }.start()
    }
    for _ in 0..<threads { done.wait() }
    let map = String(decoding: FileManager.default.contents(atPath: "/proc/self/smaps_rollup") ?? Data(), as: UTF8.self)
    for line in map.split(separator: "\\n") where line.hasPrefix("Pss:") { print(line.split(separator: " ")[1]) }
    fflush(stdout)
    _exit(0)
    """

  @Test(
    """
    The recorder adds at most 2 MiB per thread plus 8 MiB to the traced process, for any number of \
    events and backtraces
    """,
    arguments: [(1, 20_000, 1), (1, 500_000, 500_000), (8, 100_000, 100_000)])
  func bounded(_ threads: Int, _ rounds: Int, _ backtraces: Int) throws {
    let program = try TestProgram(Self.source)
    try withTemporaryFolder { folder in
      let arguments = [String(threads), String(rounds), String(backtraces)]
      let plain = try CommandResult.run(program.path, arguments, folder: folder)
      let traced = try CommandResult.run(
        program.path, arguments,
        environment: ["LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/trace"],
        folder: folder)
      let before = try #require(Int(plain.output.dropLast())), after = try #require(Int(traced.output.dropLast()))
      let size = try #require(FileManager.default.attributesOfItem(atPath: "\(folder)/trace")[.size] as? Int)
      print(
        "MemoryTests: \(threads) threads, \(backtraces) backtraces, \(size >> 20) MiB of trace: "
          + "\(after - before) KiB added"
      )
      // Only what is mapped counts: completed chunks are unmapped, and the page cache is the system's.
      #expect(after - before < threads * 2048 + 8192)
      if backtraces > 1 {
        #expect(
          size > (threads * 2048 + 8192) << 10, "The trace is larger than the limit, so it was not kept in memory.")
      }
    }
  }
}
