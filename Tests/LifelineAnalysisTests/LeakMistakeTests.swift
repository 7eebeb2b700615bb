import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineAnalysis

/// Which cycles have their cause in common.
@Suite struct LeakMistakeTests {
  private func mistakes(_ properties: [String], of roots: [String]) throws -> Set<LeakMistake> {
    let changes = properties.map { LeakCut.Change.makeWeak(className: "NIO.Context", property: $0) }
    let cut = LeakCut(changes: changes, freed: [], bytes: 0, isWhole: true)
    let leak = Leak(cause: .cycle, steps: [], lost: [], bytes: 0, cut: cut)
    return try TraceBuilder().withFile { path in
      let sites = CallSiteTable(
        BacktraceTable(), try Trace(path: path).tables, names: SampleNames(), rules: HoldRules())
      return Set(roots.compactMap { LeakMistake(leak, root: $0, ClosureIdentity(sites)) })
    }
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
