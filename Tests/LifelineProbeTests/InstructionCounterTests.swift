import LifelineTestSupport
import Testing

/// Both methods of counting, on a program with a known number of instructions.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct InstructionCounterTests {
  /// Two instructions per round.
  private static let source = """
    #include <stdlib.h>
    int main(int count, char **arguments) {
      long rounds = atol(arguments[1]);
      __asm__ volatile("1: decq %0; jnz 1b" : "+r"(rounds));
      return 0;
    }
    """

  private func difference(_ method: InstructionCounter.Method) throws -> Int {
    let program = try TestProgram(Self.source, options: ["-O1"], file: "rounds.c", compiler: "clang").path
    let counts = try ["100000", "300000"].map { try InstructionCounter.count([program, $0], method: method) }
    return counts[1] - counts[0]
  }

  @Test(
    "valgrind counts each instruction of a loop",
    .needs(.valgrind))
  func valgrind() throws {
    // The dynamic linker may take a few more instructions in one of the two runs.
    try #expect(abs(difference(.valgrind) - 400_000) < 1000)
  }

  @Test("The processor counts each instruction of a loop, or counting throws an error")
  func processor() throws {
    guard InstructionCounter.available == .processor else {
      #expect(throws: InstructionCounterError.self) { try difference(.processor) }
      return
    }
    try #expect(abs(difference(.processor) - 400_000) < 1000)
  }

  @Test("If the kernel does not allow counting, an error is thrown and the program is not started")
  func refusal() throws {
    try withTemporaryFolder { folder in
      #expect(throws: InstructionCounterError.self) {
        try InstructionCounter.countByProcessor(["/usr/bin/touch", "\(folder)/started"], [:], isRefused: true)
      }
      try #expect(CommandResult.run("ls", [folder]).output == "")
    }
  }

  @Test(
    "Both methods throw an error if the program cannot be run or fails", .needs(.valgrind),
    arguments: [["/nothing/there"], ["/bin/false"]])
  func failure(_ command: [String]) throws {
    for method in [InstructionCounter.available, .valgrind] {
      #expect(throws: InstructionCounterError.self) { try InstructionCounter.count(command, method: method) }
    }
  }
}
