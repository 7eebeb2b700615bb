import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineAnalysis

/// Which cycles have their cause in common.
@Suite struct LeakMistakeTests {
  private func mistakes(_ properties: [String], of roots: [String]) throws -> Set<LeakMistake> {
    try mistakes(properties.map { .makeWeak(className: "NIO.Context", property: $0) }, of: roots)
  }

  private func mistakes(_ changes: [LeakCut.Change], of roots: [String]) throws -> Set<LeakMistake> {
    let cut = LeakCut(changes: changes, freed: [], bytes: 0, isWhole: true)
    let leak = Leak(cause: .cycle, steps: [], lost: [], bytes: 0, cut: cut)
    return try TraceBuilder().withFile { path in
      let sites = CallSiteTable(
        BacktraceTable(), try Trace(path: path).tables, names: SampleNames(), rules: HoldRules())
      return Set(roots.compactMap { LeakMistake(leak, of: $0, root: root, ClosureIdentity(sites)) })
    }
  }

  /// Both controllers have one superclass.
  private func root(_ className: String) -> String {
    ["App.Home", "App.Profile"].contains(className) ? "App.Controller" : className
  }

  @Test("The closure of a superclass that captures objects of its subclasses is one mistake")
  func superclass() throws {
    func capture(_ className: String) throws -> Set<LeakMistake> {
      try mistakes([.captureWeakly(className: className, function: 0x1234)], of: [className])
    }
    #expect(try capture("App.Home").union(capture("App.Profile")).count == 1)
    #expect(try capture("App.Home").union(capture("App.Other")).count == 2)
  }

  @Test("One change that prevents cycles of unrelated classes is one mistake")
  func oneChange() throws {
    #expect(try mistakes(["pipeline"], of: ["App.Channel", "App.TestChannel"]).count == 1)
  }

  @Test("Several changes are one mistake for related classes, whatever their type arguments, and several for others")
  func severalChanges() throws {
    let properties = ["pipeline", "previous"]
    #expect(try mistakes(properties, of: ["App.Channel<Swift.Int>", "App.Channel<Swift.Bool>"]).count == 1)
    #expect(try mistakes(properties, of: ["App.Channel", "App.TestChannel"]).count == 2)
  }
}
