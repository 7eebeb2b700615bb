import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// Programs with known holds (`Tests/Corpus/Holds`): each says in its first lines which object, which verdict, which
/// rule, and which finding that is more than a note ("either": it depends on the threads of the run).
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct HoldTests {
  @Test("The corpus has at least 25 programs with holds, and about half of them are correct")
  func size() throws {
    let names = CorpusProgram.names(in: "Holds")
    let harmless = try names.filter { name in
      let program = try CorpusProgram(name, in: "Holds")
      return program.header("verdict") != "late" || program.header("finding") == "none"
    }
    #expect(names.count >= 25)
    #expect(harmless.count * 2 >= names.count - 2)
  }

  @Test(
    "Each lifetime gets the verdict, rule and finding that its program declares",
    arguments: CorpusBuild.tried(of: "Holds"))
  func verdict(_ build: CorpusBuild) throws {
    let corpusProgram = try CorpusProgram(build.name, in: "Holds"), source = corpusProgram.source
    let object = corpusProgram.header("object"), verdict = corpusProgram.header("verdict"),
      finding = corpusProgram.header("finding")
    let program = try TestProgram(source, options: ["-g", build.level, "-module-name", "Holds"])
    let life = try LifetimeRun(program, object)
    #expect(life.timeline.verdict == verdict)
    let never = corpusProgram.header("never")
    #expect(never.isEmpty || !life.timeline.holds.contains { $0.holder == never }, "\(never) never held it")
    if !never.isEmpty {
      #expect(life.timeline.holds.contains { $0.rule == corpusProgram.header("rule") && $0.sort == "owner" })
    }
    // A late object without consequences is listed apart from the findings.
    let findings = life.report.findings.filter { $0.object.id == object && $0.kind == "late-deallocation" }
    let quiet = (life.report.late ?? []).flatMap { $0.findings ?? [] }.filter { $0.object.id == object }
    let late = findings + quiet
    let isListed = verdict == "late" && corpusProgram.header("listed") != "no"
    #expect(late.count == (isListed ? 1 : 0), "each late deallocation is reported once")
    let rule = corpusProgram.header("rule")
    if verdict == "late" { #expect(life.timeline.holds.contains { $0.isTransient && $0.rule == rule }) }
    if isListed, late.count == 1 {
      #expect(late[0].explanation.contains { $0.contains("[rule \(rule)]") }, "the verdict cites its rule")
      #expect(late[0].backtraces.contains { $0.role == "allocation" }, "it shows where the object was allocated")
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
        $0.element.hasSuffix("// OWNER")
      }
      #expect(
        lines.contains { late[0].explanation[0].contains("main.swift:\($0.offset + 1))") },
        "it names the line where the last owner released the object: \(late[0].explanation[0])")
    }
    let serious = Set(life.report.findings.filter { $0.object.id == object && $0.severity != "note" }.map(\.kind))
    switch finding {
    case "none": #expect(serious.isEmpty)
    case "either": #expect(serious.isSubset(of: ["late-deallocation"]))
    default: #expect(serious.contains(finding))
    }
    #expect(life.report.findings.allSatisfy { $0.object.id == object }, "other objects have no findings")
    #expect((life.report.late ?? []).flatMap { $0.findings ?? [] }.allSatisfy { $0.object.id == object })
  }

  @Test("A user's rule names a holder that no built-in rule covers")
  func ownRule() throws {
    let source = """
      final class Bus {
        private var jobs: [() -> Void] = []
        func add(_ job: @escaping () -> Void) { jobs.append(job) }
        @inline(never) func drain() { let all = jobs; jobs = []; for job in all { job() } }
      }
      final class Message { var text = "x" }
      final class Box { var message: Message? = Message() }
      let bus = Bus(), box = Box()
      @inline(never) func send() { let message = box.message!; bus.add { message.text += "y" } }
      @inline(never) func drop() { box.message = nil }
      send()
      drop()
      bus.drain()
      print("end")
      """
    let rules = """
      {"version": 1, "rules": [{"id": "bus", "holder": "the bus", "activity": "a message was on the bus", \
      "scope": "reference",
        "functions": ["Bus.drain()"], "modules": ["App"], "reason": "The bus keeps its jobs until it is drained."}]}
      """
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "App"])
    let plain = try LifetimeRun(program, "Message#1")
    #expect(plain.timeline.verdict == "on time", "without a rule the program's closure is an owner")
    try withTemporaryFolder { folder in
      let file = "\(folder)/rules.json"
      try rules.write(toFile: file, atomically: true, encoding: .utf8)
      let ruled = try LifetimeRun(program, "Message#1", ["--rules", file])
      #expect(ruled.timeline.verdict == "late")
      #expect(
        ruled.report.late?.first?.findings?.first?.explanation.contains {
          $0.contains("the bus") && $0.contains("[rule bus]")
        } == true)
    }
  }
}
