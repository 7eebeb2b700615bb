import LifelineLifetimes

/// Code that released an object more often than it retained it, through pointers and without owning it otherwise.
public struct HandCount: Sendable {
  /// A class, or a function that does not belong to one; without the module.
  public let counter: String
  public internal(set) var releases: [HistoryRow] = []
  public internal(set) var retains: [HistoryRow] = []
  /// Whether it also took references that it released in the same call.
  public internal(set) var tookOthers = false
  /// Whether it created the object and kept the first reference.
  public internal(set) var isCreator = false

  var isExcess: Bool { releases.count > retains.count + (isCreator ? 1 : 0) }

  init(counter: String) { self.counter = counter }
}
