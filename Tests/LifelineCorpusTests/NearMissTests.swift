import LifelineReporting
import LifelineTestSupport
import Testing

/// Programs that use an object through a non-owning reference while only a transient hold is left, most of them from
/// within that very activity (`Tests/Corpus/NearMisses`). With `-D CLEAN` the reference is weak, or the activity passes
/// the object.
@Suite(.startsPrograms) struct NearMissTests {
  @Test("The corpus has at least 12 programs with a near miss")
  func size() { #expect(CorpusProgram.names(in: "NearMisses").count >= 12) }

  @Test(
    "A use that only a transient hold made valid is a near miss, wherever it runs", .timeLimit(.minutes(60)),
    arguments: CorpusBuild.tried(of: "NearMisses"))
  func found(_ build: CorpusBuild) throws {
    let source = try CorpusProgram(build.name, in: "NearMisses")
    let program = try TestProgram(source.source, options: ["-g", build.level, "-module-name", "NearMisses"])
    let run = try LifetimeRun(program, source.header("object"))
    let misses = run.report.findings.filter { $0.kind == "near-miss" }
    let miss = try #require(misses.first, "no near miss among \(run.report.findings.map(\.title))")
    #expect(misses.count == 1 && miss.object.id == source.header("object"))
    let access = try #require(miss.backtraces.first { $0.role == "access" })
    #expect(
      miss.backtraces.contains { $0.role == "allocation" },
      "it shows where the object was allocated: on a queue, nothing else tells the test")
    let lines = source.source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
      $0.element.hasSuffix("// ACCESS")
    }
    #expect(
      access.frames.contains { frame in lines.contains { $0.offset + 1 == frame.line } }, "it has a labeled line")
  }

  @Test(
    "The twin has no near miss", .timeLimit(.minutes(60)), arguments: CorpusBuild.tried(of: "NearMisses"))
  func twin(_ build: CorpusBuild) throws {
    let source = try CorpusProgram(build.name, in: "NearMisses")
    let program = try TestProgram(
      source.source, options: ["-g", build.level, "-module-name", "NearMisses", "-D", "CLEAN"])
    let run = try LifetimeRun(program, source.header("object"))
    #expect(!run.report.findings.contains { $0.kind == "near-miss" || $0.severity == "error" })
  }

  @Test("What a library owned is named by the function that released it, which is not the owner")
  func library() throws {
    let source = try CorpusProgram("ListOfLibrary", in: "NearMisses")
    let program = try TestProgram(source.source, options: ["-g", "-Onone", "-module-name", "NearMisses"])
    let miss = try #require(
      try LifetimeRun(program, source.header("object")).report.findings.first { $0.kind == "near-miss" })
    #expect(
      miss.explanation.contains {
        $0.contains(
          "its last owner, a reference that NSMutableArray.removeAllObjects() released in Registry.clear() (event ")
      }, "\(miss.explanation)")
  }
}
