import Foundation
import LifelineTestSupport
import Testing

/// Threads that are at the first instructions of the runtime's functions when `lifeline attach` puts a jump there.
@Suite(.startsPrograms, .serialized, .timeLimit(.minutes(60))) struct InterruptedEntryTests {
  /// A thread that allocates. With an argument, all memory is taken where the highest byte of a jump's displacement
  /// would be int3, as by the arenas of a program with many threads.
  private static let program = Result {
    try TestProgram(
      """
      import Glibc

      final class Node {
        let value: Int
        init(_ value: Int) { self.value = value }
      }
      @inline(never) func work() -> Bool {
        var last = Node(0)
        for value in 1..<100 { last = [last, Node(value + last.value)][1] }
        return last.value == 4950
      }

      let entry = Int(bitPattern: dlsym(nil, "swift_allocObject"))
      if CommandLine.arguments.count > 1 {
        for distance in stride(from: 760 << 20, to: 900 << 20, by: 1 << 16) {
          mmap(
            UnsafeMutableRawPointer(bitPattern: (entry & ~0xFFFF) - distance), 1 << 16, PROT_NONE,
            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | 0x100000, -1, 0)
        }
      }
      // The Glibc module lacks it.
      let number = unsafeBitCast(dlsym(nil, "gettid"), to: (@convention(c) () -> Int32).self)
      // Over, whether all was right, and the thread's number.
      let state = UnsafeMutablePointer<Int32>.allocate(capacity: 3)
      state.initialize(repeating: 0, count: 3)
      state[1] = 1
      var worker = pthread_t()
      pthread_create(&worker, nil, { state in
        let state = state!.assumingMemoryBound(to: Int32.self)
        state[2] = number()
        while state[0] == 0 { if !work() { state[1] = 0 } }
        return nil
      }, state)
      while state[2] == 0 { usleep(1000) }
      setvbuf(stdout, nil, _IOLBF, 0)
      if CommandLine.arguments.contains("caught") {
        signal(SIGILL) { _ in write(1, "caught\\n", 7) }
      }
      print(state[2], entry)
      print("ready")
      while let line = readLine() {
        if line == "raise" { raise(SIGILL) } else { fatalError() }
      }
      state[0] = 1
      pthread_join(worker, nil)
      print(state[1] == 1 ? "worked" : "wrong")
      """, options: ["-O"])
  }

  @Test(
    "A thread that was interrupted where the jump is now continues with the instructions that were there",
    arguments: [[], ["crowded"]])
  func continues(_ arguments: [String]) throws {
    let program = try Self.program.get()
    try withTemporaryFolder { folder in
      var tried = 0
      for offset in UInt64(1)...4 {
        let running = try AttachedProgram(program, arguments, in: folder)
        let numbers = running.printed.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) }
        let signals = try ProcessImprint(running.process.identifier).signals
        let (thread, entry) = (pid_t(try #require(numbers.first)), try #require(numbers.last))
        // Only some bytes are the first of an instruction.
        if let stopped = try StoppedInstruction(thread, at: entry + offset, most: 20_000) {
          tried += 1
          let attach = try CommandResult.run(
            BuiltPackage.lifeline, ["attach", running.identifier, "--no-wait", "-q", "-o", "\(offset).lifeline"],
            folder: folder, limit: .seconds(120))
          #expect(attach == CommandResult(output: "", errors: "", status: 0))
          stopped.release()
          usleep(50_000)
          let detach = try CommandResult.run(
            BuiltPackage.lifeline, ["detach", running.identifier, "-q"], folder: folder, limit: .seconds(120))
          #expect(detach == CommandResult(output: "", errors: "", status: 0))
          #expect(try ProcessImprint(running.process.identifier).signals == signals)
        }
        let first = running.printed
        #expect(try running.end() == CommandResult(output: "\(first)worked\n", errors: "", status: 0))
      }
      #expect(tried > 0)
    }
  }
  @Test(
    "A SIGILL of the program's own is the program's own while it is recorded",
    arguments: [["crowded"], ["crowded", "caught"]])
  func ownSignal(_ arguments: [String]) throws {
    let program = try Self.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, arguments, in: folder)
      let first = running.printed
      let attach = try CommandResult.run(
        BuiltPackage.lifeline, ["attach", running.identifier, "--no-wait", "-q", "-o", "t.lifeline"], folder: folder,
        limit: .seconds(120))
      #expect(attach == CommandResult(output: "", errors: "", status: 0))
      if arguments.contains("caught") {
        try running.say("raise")
        try running.expect("caught\n")
        #expect(try running.end() == CommandResult(output: "\(first)caught\nworked\n", errors: "", status: 0))
      } else {
        try running.say("trap")
        let end = try running.end()
        #expect(end.status == 128 + SIGILL && end.output == first, Comment(rawValue: end.errors))
      }
    }
  }
}
