import LifelineLifetimes
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite struct ProfileDifferenceTests {
  /// A profile of functions, each with an allocation count and a retain count, all called by main.
  private static func report(_ functions: [(name: String, allocations: Int, retains: Int)]) -> ProfileReport {
    var tree = CallTree()
    let main = tree.child(of: 0, tree.index(of: CallFrame(function: "main", image: "app")))
    let samples = functions.enumerated().map { index, function in
      let node = tree.child(of: main, tree.index(of: CallFrame(function: function.name, image: "app")))
      var cost = ProfileCost()
      (cost.allocations, cost.retains) = (function.allocations, function.retains)
      return CallProfile.Sample(classIndex: index % 2 + 1, node: node, cost: cost, late: 0)
    }
    let profile = CallProfile(
      classes: [
        .init(name: "", instanceSize: 0), .init(name: "App.Node", instanceSize: 32),
        .init(name: "App.Leaf", instanceSize: 16),
      ], tree: tree, samples: samples)
    return ProfileReportBuilder(profile, prices: ProfilePrices(reference: 10, allocation: 100), top: .max).build(
      program: "/bin/app", events: 0, shortened: 0)
  }

  private static let before = report([("grow()", 10, 0), ("keep()", 3, 4), ("gone()", 5, 0)])
  private static let after = report([("grow()", 30, 2), ("keep()", 3, 4), ("fresh()", 1, 0)])

  @Test("Changes are listed by size, with new and removed functions; unchanged functions are omitted")
  func changes() throws {
    let difference = ProfileDifference(before: Self.before, after: Self.after, top: 20)
    #expect(difference.functions.map(\.function) == ["grow()", "gone()", "fresh()"], "main itself has no costs")
    #expect(difference.functions.map(\.exclusive.nanoseconds) == [2020, -500, 100])
    #expect(difference.functions[1].exclusive.after == nil && difference.functions[2].exclusive.before == nil)
    #expect(difference.functions[0].inclusive.before?.allocations == 10)
    #expect(difference.total.nanoseconds == 1620)
    #expect(difference.classes.map(\.name) == ["App.Node"], "App.Leaf is unchanged")
    try #expect(JSONSchema(published: "profile-difference-1").problems(JSONFormat().render(difference)) == [])
  }

  @Test("The text shows each number before and after")
  func text() {
    let difference = ProfileDifference(before: Self.before, after: Self.after, top: 2)
    #expect(
      ProfileDifferenceTextFormat().render(difference) == """
        app: an estimated 3.4 µs, 1.8 µs in the earlier trace (+1.6 µs)

        Classes
        class     retains  releases  allocations  live  estimate   change
        App.Node    0 → 2         0      15 → 31     0    3.1 µs  +1.6 µs

        Functions, by their own cost
        function  retains  releases  allocations  live  estimate   change  with callees
        grow()      0 → 2         0      10 → 30     0      3 µs    +2 µs         +2 µs
        gone()          0         0        5 → 0     0      0 ns  -500 ns       -500 ns
        1 more (--top)


        """)
  }

  @Test("Equal profiles have no difference")
  func equal() {
    let difference = ProfileDifference(before: Self.after, after: Self.after, top: 20)
    #expect(difference.classes.isEmpty && difference.functions.isEmpty)
    #expect(ProfileDifferenceTextFormat().render(difference).hasSuffix("(0 ns)\n\nNothing differs.\n"))
  }

  @Test("Functions with the same name in two images are one entry")
  func sameName() {
    var twice = Self.after
    twice.functions.append(twice.functions[0])
    let difference = ProfileDifference(before: Self.after, after: twice, top: 20)
    #expect(difference.functions.map(\.function) == ["grow()"])
    #expect(difference.functions[0].exclusive.nanoseconds == 3020)
  }
}
