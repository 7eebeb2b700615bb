import LifelineLifetimes

/// Who released an object more often than it had retained it, by pointers and without owning it otherwise.
public struct HandCount: Sendable {
  /// A class, or a function that belongs to none; without the module.
  public let counter: String
  public internal(set) var releases: [HistoryRow] = []
  public internal(set) var retains: [HistoryRow] = []
  /// It took references besides which it gave back in the same call.
  public internal(set) var tookOthers = false

  init(counter: String) { self.counter = counter }
}
