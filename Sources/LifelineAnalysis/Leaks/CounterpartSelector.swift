import LifelineLifetimes
import LifelineTrace

/// Selects freed objects like the leaked ones: of their class, for closures from the place that created them.
///
/// A program that forgets to close one session closes others, and their histories show where.
struct CounterpartSelector {
  private struct Kind: Hashable {
    let className: String
    /// The call that allocated a closure's context; 0 for objects.
    let site: UInt64
  }

  private var chosen: [Kind: [ObjectID]] = [:]
  private let tracker: LifetimeTracker

  private static let closure = "(closure context)"
  private static let limit = 128
  private static let limitOfKind = 3
  private static let stepLimit = 8

  /// `leaks` have the object that each describes.
  init(_ leaks: some Sequence<(object: ObjectID, leak: Leak)>, _ tracker: LifetimeTracker) {
    self.tracker = tracker
    var candidates: [Kind: [(count: Int, object: ObjectID)]] = [:]
    for (object, leak) in leaks {
      for object in Self.targets(leak, object) where object.number > 0 { candidates[kind(object)] = [] }
    }
    let classes = Set(candidates.keys.map(\.className))
    for group in tracker.finalReleases.groups {
      for sample in group.samples where classes.contains(sample.object.className) && sample.object.number > 0 {
        candidates[kind(sample.object, sample.allocation)]?.append((group.count, sample.object))
      }
    }
    var room = Self.limit
    for (kind, freed) in candidates.sorted(by: { ($0.key.className, $0.key.site) < ($1.key.className, $1.key.site) }) {
      // Objects that ended where most of them did.
      let likely = freed.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
      chosen[kind] = likely.prefix(min(room, Self.limitOfKind)).map(\.element.object)
      room -= chosen[kind]!.count
    }
  }

  /// The objects whose full histories are needed.
  var objects: Set<ObjectID> { Set(chosen.values.joined()) }

  func counterparts(of object: ObjectID) -> [ObjectID] { chosen[kind(object)] ?? [] }

  /// The objects to which references leaked.
  private static func targets(_ leak: Leak, _ object: ObjectID) -> [ObjectID] {
    leak.cause == .cycle ? leak.steps.dropFirst().prefix(stepLimit).compactMap(\.object) : [object]
  }

  private func kind(_ object: ObjectID) -> Kind {
    kind(object, tracker.liveObject(at: object.address)?.allocation ?? .empty)
  }

  private func kind(_ object: ObjectID, _ allocation: BacktraceID) -> Kind {
    let site = object.shortClassName == Self.closure ? tracker.backtraces.innermost(of: allocation)?.word : nil
    return Kind(className: object.className, site: site ?? 0)
  }
}
