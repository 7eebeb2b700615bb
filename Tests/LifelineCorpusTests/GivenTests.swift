import LifelineTestSupport
import Testing

/// Correct programs whose activity or function itself stored the reference that was used (`Tests/Corpus/Given`). Some
/// of these stores make no event, so there may be a near miss; but it is a note that says so.
@Suite(.startsPrograms) struct GivenTests {
  @Test(
    "What holds an object may store a reference to it unseen: a near miss is a note that says so",
    .timeLimit(.minutes(60)), arguments: CorpusBuild.tried(of: "Given", step: 1))
  func note(_ build: CorpusBuild) throws {
    let source = try CorpusProgram(build.name, in: "Given")
    let program = try TestProgram(source.source, options: ["-g", build.level, "-module-name", "Given"])
    let run = try LifetimeRun(program, source.header("object"))
    #expect(run.report.findings.allSatisfy { $0.severity == "note" }, "\(run.report.findings.map(\.title))")
    for miss in run.report.findings where miss.kind == "near-miss" {
      #expect(miss.explanation.contains { $0.contains("had stored that reference itself, which does not show") })
    }
  }
}
