import Lifeline
import LifelineLifetimes
import LifelineTrace

extension Checks {
  /// Runs a body several times; returns a text for each class and site that gains objects every round.
  static func growth(rounds: Int, _ body: () throws -> Void) rethrows -> [String] {
    if let problem = TestRecorder.problem { return try unobserved(rounds, problem, body) }
    let rounds = max(rounds, Growth.fewest)
    let tag = "expectNoGrowth \(TestRecorder.nextNumber())"
    for _ in 0..<rounds {
      try body()
      Timeline.mark(tag)
    }
    return growth(tag, rounds)
  }

  /// The same for an asynchronous body.
  static func growth(
    rounds: Int, isolation: isolated (any Actor)?, _ body: () async throws -> Void
  ) async rethrows -> [String] {
    if let problem = TestRecorder.problem {
      for _ in 0..<rounds { try await body() }
      return ["Growth could not be observed. \(problem)"]
    }
    let rounds = max(rounds, Growth.fewest)
    let tag = "expectNoGrowth \(TestRecorder.nextNumber())"
    for _ in 0..<rounds {
      try await body()
      Timeline.mark(tag)
    }
    return growth(tag, rounds)
  }

  private static func unobserved(_ rounds: Int, _ problem: String, _ body: () throws -> Void) rethrows -> [String] {
    for _ in 0..<rounds { try body() }
    return ["Growth could not be observed. \(problem)"]
  }

  private static func growth(_ tag: String, _ rounds: Int) -> [String] {
    do {
      return try Snapshot.with { snapshot in
        let inspector = try GrowthInspector(snapshot.trace, .marks { $0 == tag }, last: rounds)
        guard inspector.generations == rounds else { throw TraceError("The marks of the rounds were not recorded.") }
        return inspector.growths.filter {
          !$0.className.hasPrefix("LifelineTesting.") && !$0.className.hasPrefix("Lifeline.")
        }.map { growth in
          let counts = growth.counts.map(String.init).joined(separator: " ")
          let rounds = growth.rounds == 1 ? "per round" : "in \(growth.rounds) rounds"
          let why = Explanation(snapshot: snapshot, address: growth.newest.address).lines()
          return
            ([
              "\(growth.newest.shortClassName) grows by \(growth.gain) \(rounds): \(counts) live after each.",
              "The newest is \(growth.newest):",
            ] + why.map { "  \($0)" })
            .joined(separator: "\n")
        }
      }
    } catch {
      return ["Growth could not be observed. \(error)"]
    }
  }
}
