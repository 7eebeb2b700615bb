import Foundation
import LifelineLifetimes
import LifelineTestSupport
import LifelineTrace
import Testing

/// The small version of Scripts/prove-kill.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct KillTests {
  @Test("The trace of a killed program opens and lacks at most the last event of each thread", arguments: 0..<20)
  func kill(_ number: Int) throws {
    let source = BuiltPackage.root.appendingPathComponent("Tests/KilledProgram/Killed.swift")
    let program = try TestProgram(String(contentsOf: source, encoding: .utf8), options: ["-O"])
    let threads = number % 2 == 0 ? 1 : 4
    try withTemporaryFolder { folder in
      let process = try TestProcess(
        program.path, ["\(folder)/count", String(threads)],
        environment: [
          "LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/trace",
          "SWIFT_BACKTRACE": "enable=no",
        ],
        limit: .seconds(120))
      // Each case kills the program later, at an event that differs from run to run.
      for _ in 0..<100_000 {
        if let first = counters("\(folder)/count").first, first[0] > number * 15_000 { break }
        usleep(500)
      }
      process.send(SIGKILL)
      try #expect(process.wait() == 137)
      let known = counters("\(folder)/count")
      let summary = try LifetimeSummary(Trace(path: "\(folder)/trace"))
      #expect(summary.problems == [])
      for thread in 0..<threads {
        let thing = summary.tracker.classes.first { $0.name.hasSuffix(".Thing\(thread)") }
        let short = summary.tracker.classes.first { $0.name.hasSuffix(".Short\(thread)") }
        let references = UInt64((thing?.retains ?? 0) + (thing?.releases ?? 0))
        #expect((known[thread][1]...known[thread][0]).contains(references))
        #expect((known[thread][3]...known[thread][2]).contains(UInt64(short?.allocated ?? 0)))
      }
    }
  }

  /// For each thread: references begun and done, objects begun and done; empty until the program has written its file.
  private func counters(_ path: String) -> [[UInt64]] {
    guard let data = FileManager.default.contents(atPath: path), data.count == 4096 else { return [] }
    return data.withUnsafeBytes { bytes in
      (0..<4).map { thread in (0..<4).map { bytes.load(fromByteOffset: 64 * thread + 8 * $0, as: UInt64.self) } }
    }
  }
}
