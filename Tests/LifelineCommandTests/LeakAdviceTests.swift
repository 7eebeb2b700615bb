import LifelineTestSupport
import Testing

/// What the report of a leak advises, and how it says what holds the object.
@Suite(.startsPrograms, .timeLimit(.minutes(30))) struct LeakAdviceTests {
  private func advice(_ source: String) throws -> Substring {
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "-q", "--", program.path], in: $0).output }
    #expect(text.contains("error: leak "), "\(text)")
    return text.split(separator: "\n").first { $0.hasPrefix("  To change: ") } ?? ""
  }

  @Test("Boxes in a box of an indirect enum are stated once", arguments: ["-Onone", "-O"])
  func boxes(_ level: String) throws {
    let source = """
      indirect enum Condition {
        case always
        case not(Condition)
        case both(Condition, Condition)
        case check((Int) -> Bool)
      }
      final class Rule {
        var condition = Condition.always
        var limit = 3
        func arm() { condition = .both(condition, .not(.check { self.limit < $0 })) }
      }
      func run() { Rule().arm() }
      run()
      """
    let program = try TestProgram(source, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "--once", "--depth", "full", "-o", "t", "--", program.path], folder: folder)
      #expect(result.output.contains("Rule.condition → closure at main.swift:10 → Rule"), "\(result.output)")
      #expect(
        result.output.matches(of: /Rule\.condition holds a box that .*main\.swift:10/).count == 1, "\(result.output)")
    }
  }

  @Test("What only a timer's closure owns cannot be captured weakly")
  func timer() throws {
    let advice = try advice(
      """
      import Foundation
      final class Note { let text = "tea" }
      @inline(never) func remind() {
        let note = Note()
        Timer.scheduledTimer(withTimeInterval: 0.005, repeats: false) { _ in print(note.text) }
      }
      remind()
      RunLoop.main.run(until: Date().addingTimeInterval(0.05))
      """)
    #expect(
      advice == "  To change: If something else owns the Note, capture it weakly or unowned in the closure at "
        + "main.swift:5, so that the Timer does not keep it.")
  }

  @Test("A cycle through a dispatch source says what its release requires")
  func source() throws {
    let advice = try advice(
      """
      import Dispatch
      final class Ticker {
        var source: DispatchSourceTimer?
        var ticks = 0
        func prepare() {
          let source = DispatchSource.makeTimerSource(queue: .global())
          source.setEventHandler { self.ticks += 1 }
          self.source = source
        }
      }
      @inline(never) func run() { Ticker().prepare() }
      run()
      """)
    #expect(advice.contains("Capture self weakly or unowned in the closure at main.swift:7 ([weak self])."))
    #expect(advice.hasSuffix("must be resumed before it is released, which ends the program otherwise."))
  }

  @Test("Leaks are alike only if the proposed change prevents all of them", arguments: ["-Onone", "-O"])
  func alike(_ level: String) throws {
    let program = try TestProgram(
      """
      struct Failure: Error { let job: Job }
      final class Job {
        var first: (any Error)?
        var last: (any Error)?
        let number: Int
        init(_ number: Int) { self.number = number }
        func run() { if number % 2 == 0 { first = Failure(job: self) } else { last = Failure(job: self) } }
      }
      @inline(never) func run() { for number in 0..<6 { Job(number).run() } }
      run()
      """, options: [level, "-g", "-module-name", "App"])
    let text = try withTemporaryFolder { try lifeline(["check", "-q", "--", program.path], in: $0).output }
    if level == "-Onone" {
      #expect(text.contains("Job (and 5 more like it)\n"), "\(text)")
      #expect(text.contains("  To change: Make Failure.job weak or unowned. "))
    } else {
      for property in ["first", "last"] {
        #expect(text.contains("Job.\(property) → Failure.job → Job (and 2 more like it)\n"), "\(text)")
        #expect(text.contains("  To change: Set Job.\(property) to nil when it is no longer needed. "))
      }
    }
  }
}
