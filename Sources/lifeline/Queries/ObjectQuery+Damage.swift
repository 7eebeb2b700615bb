import LifelineLifetimes
import LifelineReporting
import LifelineTrace

extension ObjectQuery {
  /// The matching objects. If there are none, damage is reported first, since they may have been there.
  ///
  /// - Throws: `TraceError` when there is no such object.
  func resolve(tellingDamageOf trace: Trace, _ summary: LifetimeSummary) throws -> [ObjectID] {
    do {
      return try resolve(in: trace, summary)
    } catch {
      for problem in trace.problems + summary.problems { Console.log(problem) }
      throw error
    }
  }
}
