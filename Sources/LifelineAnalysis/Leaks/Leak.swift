import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Objects that leaked for one reason: how they are held, what leaked with them, and what would free them.
public struct Leak: Sendable {
  public enum Cause: Sendable, Equatable {
    /// Objects keep each other.
    case cycle
    /// Nothing refers to the object, but a retain of it was never balanced.
    case unbalanced
    /// Only a library's object holds it; nothing refers to that one, but a retain of it was never balanced.
    case holder(className: String)
    /// Only memory that nothing refers to holds it.
    case memory(bytes: Int)
    /// Only a task that nothing can resume holds it.
    case task
    /// Only a closure or a box that nothing refers to holds it.
    case context
  }

  /// An object whose history does not show which of its references is left.
  public struct Doubt: Sendable {
    public enum Reason: Sendable, Equatable {
      /// So many events that some were omitted.
      case cut(events: Int)
      /// Older than the events that the recording keeps.
      case older
      /// Releases without a matching retain.
      case unpaired(releases: Int)
    }

    public let object: ObjectID
    public let reason: Reason
    /// The program's own retains without a release, one per place, three at most.
    public let perhaps: [HistoryRow]

    public init(object: ObjectID, reason: Reason, perhaps: [HistoryRow] = []) {
      self.object = object
      self.reason = reason
      self.perhaps = perhaps
    }
  }

  /// The number of objects of a class.
  public struct ClassCount: Sendable, Equatable {
    public let className: String
    public let count: Int
  }

  public let cause: Cause
  /// The path around the cycle, starting at the owner: the last step is the first one's object again. Otherwise the
  /// path from the unreferenced start to the object.
  public internal(set) var steps: [LeakStep]
  /// The program's own leaked objects, by class, largest count first.
  public let lost: [ClassCount]
  /// All leaked memory, including storage.
  public let bytes: Int
  /// Further groups of the same shape from the same place.
  public internal(set) var similar = 0
  /// Whether all of those lost their references at the same place; not examined if there are too many.
  public internal(set) var isSimilarKnown = true
  /// The program's own objects in all groups, this one included, and their memory.
  public internal(set) var totalObjects: Int
  public internal(set) var totalBytes: Int
  /// Classes of the program's own in other groups but not in this one, by name.
  public private(set) var otherClasses: [String] = []
  /// Where the described objects of all groups were allocated.
  var births: Set<BacktraceID> = []
  /// The tests that did it, by name, as far as the backtraces show them.
  public internal(set) var tests: [String] = []
  public internal(set) var cut: LeakCut?
  /// For an unreferenced object: the references without a balancing release.
  public internal(set) var unbalanced: [HistoryRow] = []
  /// If one is in `unbalanced`: others that may have no release instead, one per place.
  public internal(set) var alternatives: [HistoryRow] = []
  /// If one is in `unbalanced`: what released such a reference in a freed object.
  public internal(set) var counterpart: Counterpart?
  /// Objects to which only the references that the changes make weak are left.
  var onlyHeld: [OnlyHeld] = []
  /// Where they are in the heap.
  var group: LostGroup?
  /// References to its members from other leaks, which do not count.
  var elsewhere: [Int: Int] = [:]
  /// Why some references have no line, with each object once.
  public private(set) var doubts: [Doubt] = []

  init(cause: Cause, steps: [LeakStep], lost: [ClassCount], bytes: Int, cut: LeakCut?) {
    self.cause = cause
    self.steps = steps
    self.lost = lost
    self.bytes = bytes
    self.cut = cut
    totalObjects = lost.reduce(0) { $0 + $1.count }
    totalBytes = bytes
  }

  /// Counts another leak of the same kind.
  mutating func count(_ other: Leak) {
    similar += 1 + other.similar
    totalObjects += other.totalObjects
    totalBytes += other.totalBytes
    births.formUnion(other.births)
    let own = Set(lost.map(\.className))
    otherClasses = Set(otherClasses + other.otherClasses + other.lost.map(\.className)).subtracting(own).sorted()
  }

  mutating func note(_ doubt: Doubt?) {
    guard let doubt, !doubts.contains(where: { $0.object == doubt.object }) else { return }
    doubts.append(doubt)
  }

  /// The events that stored references, with the objects they refer to and their holders, where only one can have.
  var stores: [(object: ObjectID, event: UInt64, holder: Holder)] {
    steps.indices.dropLast().compactMap { index in
      guard let object = steps[index + 1].object, let store = steps[index].store else { return nil }
      return (object, store.event.sequence, holder(index))
    }
  }

  /// Who has a step's reference; an array's elements are its property's.
  func holder(_ index: Int) -> Holder {
    guard let step = steps[...index].last(where: { $0.kind != .storage }) else { return .reference }
    return switch step.kind {
    case .closure: .closure
    case .object: .property(className: step.className, property: step.property, instance: step.object)
    case .storage, .variable, .task, .memory: .reference
    }
  }

  public var objectCount: Int { lost.reduce(0) { $0 + $1.count } }
}
