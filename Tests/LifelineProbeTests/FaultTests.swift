import Foundation
import LifelineTestSupport
import Testing

/// libc calls that fail, in the recorder and in `lifeline` while it reads.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct FaultTests {
  @Test("A failed libc call does not change the program, and is reported if it affects the result")
  func some() throws {
    let script = BuiltPackage.root.appendingPathComponent("Scripts/prove-faults").path
    let result = try CommandResult.run(script, ["4", "--products", BuiltPackage.buildFolder.path])
    #expect(result.status == 0, "\(result.output)")
    for name in ["recorded", "zombies", "guards", "ring", "report", "history", "leaks"] {
      let row = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("| \(name) | ") })
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect((Int(cells[2]) ?? 0) >= 4 && !cells[3].isEmpty && cells[4] == "0", "\(row)")
    }
  }
}
