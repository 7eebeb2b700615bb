import LifelineAnalysis
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

/// Reads traces, then diagnoses them, and prints what the diagnosis adds to the reading, in seconds and as a share.
@main
enum DiagnosisBenchmark {
  static func main() throws {
    for path in CommandLine.arguments.dropFirst() {
      let trace = try Trace(path: path)
      var reading = Duration.seconds(1_000_000), whole = reading
      var findings = 0
      var events: UInt64 = 0
      for _ in 0..<3 {
        reading = min(reading, try ContinuousClock().measure { events = try LifetimeSummary(trace).events })
        whole = min(
          whole, try ContinuousClock().measure { findings = try Diagnosis(trace, names: Names(trace)).findings.count })
      }
      let share = ((whole - reading) / reading * 100).rounded() / 100
      print(
        "\(path.split(separator: "/").last ?? ""): \(events) events, \(findings) findings; reading \(reading), diagnosis adds \(share) of it"
      )
    }
  }
}
