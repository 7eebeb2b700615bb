import LifelineTestSupport
import Testing

/// Programs with a use after free or an over-release, their twins without the bug, and programs that only look wrong.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct CorpusTests {
  /// Reads and writes of memory without a call: only a guard page can detect them.
  static let invisibleToZombies: Set = ["CWritesField", "RawPointerLoad", "TailElement"]

  /// Both depths find the same bugs, so each channel is tested with one of them at each optimization level.
  private static func depth(_ channel: [String], _ build: CorpusBuild) -> String {
    (channel == ["--zombies"]) == build.isOptimized ? "full" : "lives"
  }

  @Test("The corpus has at least 40 programs with a bug and 12 that only look wrong")
  func size() {
    let programs = CorpusProgram.names(in: "UseAfterFree")
    #expect(programs.count >= 40)
    #expect(CorpusProgram.names(in: "Noise").count >= 12)
    #expect(Self.invisibleToZombies.count * 10 <= programs.count, "zombies alone catch nine of ten")
  }

  @Test(
    "Guard pages catch every bug, with its class and lines; zombies catch every bug that makes a call",
    arguments: CorpusBuild.tried(of: "UseAfterFree"))
  func caught(_ build: CorpusBuild) throws {
    let name = build.name
    let program = try CorpusProgram(name, in: "UseAfterFree")
    let built = try program.compile(build.level)
    for options in [["--guard", "*"], ["--zombies"]] {
      let depth = Self.depth(options, build)
      let run = try CorpusRun(built, options + ["--depth", depth])
      if options == ["--zombies"], Self.invisibleToZombies.contains(name) {
        #expect(run.status == 0 && run.report.verdict == "clean", "no longer missed: take \(name) off the list")
        continue
      }
      #expect(run.status == 1)
      let finding = try #require(run.report.findings.first)
      #expect(run.report.findings.count { $0.severity == "error" } == 1)
      #expect(finding.kind == program.kind)
      #expect(finding.object.class == "Corpus.\(program.className)")
      #expect(finding.suggestion?.contains(/(in|and) \./) == false, "\(finding.suggestion ?? "no suggestion")")
      for (role, label) in [
        ("access", CorpusProgram.Label.access), ("final-release", .free), ("deallocation", .free),
        ("allocation", .allocation),
      ] {
        if depth == "lives", role == "final-release" { continue }
        let labelled = program.lines(label, optimized: build.isOptimized)
        #expect(
          !run.lines(role).isDisjoint(with: labelled),
          "\(role) passes \(run.lines(role).sorted()), not \(labelled.sorted())")
      }
    }
  }

  @Test("The twin without the bug is clean", arguments: CorpusBuild.tried(of: "UseAfterFree"))
  func cleanTwin(_ build: CorpusBuild) throws {
    let built = try CorpusProgram(build.name, in: "UseAfterFree").compile(build.level, clean: true)
    for options in [["--guard", "*"], ["--zombies"]] {
      let run = try CorpusRun(built, options)
      #expect(
        run.status == 0 && run.report.verdict == "clean" && !run.report.findings.contains { $0.severity != "note" })
    }
  }

  @Test("A program that only looks wrong is clean", arguments: CorpusBuild.tried(of: "Noise"))
  func noise(_ build: CorpusBuild) throws {
    let built = try CorpusProgram(build.name, in: "Noise").compile(build.level)
    for options in [["--guard", "*"], ["--zombies"]] {
      let run = try CorpusRun(built, options + ["--depth", Self.depth(options, build)])
      #expect(
        run.status == 0 && run.report.verdict == "clean" && !run.report.findings.contains { $0.severity != "note" })
    }
  }
}
