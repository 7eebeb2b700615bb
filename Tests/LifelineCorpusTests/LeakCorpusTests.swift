import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// Programs that leak (`Tests/Corpus/Leaks`), their twins that do not, and programs in which everything is reachable
/// (`Tests/Corpus/Reachable`). A leaking program declares what is lost:
///
///     // leak: 1 Pane, 1 Model        the objects of all findings, by class
///     // findings: 2                  how many findings, 1 if it does not say
///     // path: Pane.model, closure    properties and closures of the paths; empty for objects without a cycle
///     // says: nothing refers to it   part of a title
///     // change: Node.parent           part of the suggestion
///     // not: weakly                   not part of the suggestion
///     … // KEPT   … // ALLOC          lines that a path or a retain's backtrace, and the allocation's backtrace, pass
///     … // KEPT-CALL                  enough where the optimizer left line 0 or inlined the function
///
/// `Scripts/compare-leaks` runs all of them many times, beside other tools.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct LeakCorpusTests {
  @Test("The corpus has at least 40 programs that leak and 25 in which everything is reachable")
  func size() {
    #expect(CorpusProgram.names(in: "Leaks").count >= 40)
    #expect(CorpusProgram.names(in: "Reachable").count >= 25)
  }

  @Test(
    "A leak is found with its classes, path and lines, and the suggested change frees it",
    arguments: CorpusBuild.tried(of: "Leaks", step: 6))
  func found(_ build: CorpusBuild) throws {
    let program = try CorpusProgram(build.name, in: "Leaks")
    let run = try CorpusRun(program.compile(build.level), [])
    let findings = run.report.findings.filter { $0.kind == "leak" }
    #expect(run.status == 1 && run.report.verdict == "findings")
    #expect(findings.count == program.leakFindings)
    #expect(run.report.findings.allSatisfy { $0.kind == "leak" || $0.severity == "note" })
    #expect(lost(run.report) == program.leakedObjects)
    #expect(findings.contains { $0.title.contains(program.header("says")) } || program.header("says").isEmpty)
    let path = findings.flatMap(\.path)
    let isInside = zip(path, path.dropFirst()).contains { step, made in
      step.function?.hasPrefix("\(PathName.short(made.class)).__allocating_init") == true
    }
    #expect(!isInside, "a step is where an object was made, not in its own initializer")
    let isCycle = findings.allSatisfy { $0.path.count > 1 && $0.path.first?.class == $0.path.last?.class }
    #expect(isCycle || program.leakPath.isEmpty || program.leakPath == ["closure"])
    for finding in findings {
      if !program.leakPath.isEmpty {
        #expect(
          finding.suggestion?.contains(/frees (everything|all of the program's own objects)/) == true,
          "\(finding.suggestion ?? "no suggestion")")
      }
      #expect(!finding.fingerprint.isEmpty && !finding.explanation.isEmpty)
      let change = program.header("change")
      let wrong = program.header("not")
      #expect(wrong.isEmpty || finding.suggestion?.contains(wrong) != true, "\(finding.suggestion ?? "none")")
      #expect(change.isEmpty || finding.suggestion?.contains(change) == true, "\(finding.suggestion ?? "none")")
    }
    var properties = Set(path.compactMap { step in step.property.map { "\(PathName.short(step.class)).\($0)" } })
    if path.contains(where: { $0.kind == "closure" }) { properties.insert("closure") }
    let wanted = Set(program.leakPath.filter { $0.contains(".") || $0 == "closure" })
    if wanted.allSatisfy({ $0.contains(".") }) { #expect(!properties.isDisjoint(with: wanted) || wanted.isEmpty) }
    let kept = Set(path.filter { $0.file?.hasSuffix("main.swift") == true }.compactMap(\.line))
      .union(path.filter { $0.createdFile?.hasSuffix("main.swift") == true }.compactMap(\.createdLine))
      .union(
        findings.flatMap(\.backtraces).filter { $0.role == "retain" || $0.role == "allocation" }.flatMap(
          CorpusRun.lines)
      )
      .union(
        findings.flatMap(\.explanation).flatMap { $0.matches(of: /main\.swift:(\d+)/) }.compactMap { Int($0.output.1) })
    #expect(!kept.isDisjoint(with: program.lines(.kept, optimized: build.isOptimized)), "passes \(kept.sorted())")
  }

  @Test("The twin without the leak is clean", arguments: CorpusBuild.tried(of: "Leaks", step: 6))
  func twin(_ build: CorpusBuild) throws {
    try expectClean(
      CorpusRun(CorpusProgram(build.name, in: "Leaks").compile(build.level, clean: true), ["--fail-on", "leak"]),
      isOptimized: build.isOptimized)
  }

  @Test(
    "A program in which everything is reachable has no leak", arguments: CorpusBuild.tried(of: "Reachable", step: 6))
  func quiet(_ build: CorpusBuild) throws {
    try expectClean(
      CorpusRun(CorpusProgram(build.name, in: "Reachable").compile(build.level), ["--fail-on", "leak"]),
      isOptimized: build.isOptimized)
  }

  @Test(
    "With guard pages the same objects are lost",
    arguments: [("ThreeWay", false), ("PassRetained", false), ("ThreeWay", true), ("InnerPointers", true)])
  func guarded(_ name: String, isReachable: Bool) throws {
    let folder = isReachable && name != "ThreeWay" ? "Reachable" : "Leaks"
    let program = try CorpusProgram(name, in: folder)
    let run = try CorpusRun(
      program.compile("-Onone", clean: isReachable && folder == "Leaks"), ["--guard", "*", "--fail-on", "leak"])
    #expect(run.status == (isReachable ? 0 : 1))
    #expect(run.report.heap?.isExamined == true)
    #expect(lost(run.report) == (isReachable ? [:] : program.leakedObjects))
  }

  private func expectClean(_ run: CorpusRun, isOptimized: Bool) {
    // The optimizer removed all objects of some programs, and the report says so.
    let nothing =
      "No object of the program's own classes was seen; those that the optimizer puts on the stack are not recorded, "
      + "and those of libraries only with --all-classes."
    if isOptimized, run.report.noVerdictReason == nothing {
      #expect(run.report.classes.isEmpty && run.report.findings.isEmpty)
      return
    }
    #expect(run.status == 0 && run.report.verdict == "clean", "\(run.report.noVerdictReason ?? "")")
    let leaks = run.report.findings.filter { $0.kind == "leak" }.map(\.title)
    #expect(leaks == [])
    #expect(run.report.heap?.isExamined == true)
  }

  /// Lost objects by class, from the groups of live ones.
  private func lost(_ report: Report) -> [String: Int] {
    var counts: [String: Int] = [:]
    for group in report.liveAtExit where group.lost ?? 0 > 0 && group.class.hasPrefix("Corpus.") {
      counts[PathName.short(group.class), default: 0] += group.lost!
    }
    return counts
  }

  private enum PathName {
    /// Without module and generic arguments.
    static func short(_ name: String) -> String {
      String((name.split(separator: ".", maxSplits: 1).last ?? name[...]).prefix { $0 != "<" })
    }
  }
}
