import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// The retains whose references the code stored in objects at one place, as the code itself shows.
struct StoredReferences {
  /// Those that stored one, in order.
  let retains: [HistoryRow]
  /// How many of those references are still there at least, whatever made the events of which this is not known.
  let remaining: Int

  /// `offsets` are the place in its forms. `lineage` names the holder's class and its superclasses, whose initializers
  /// store in the new object. O(events).
  init(at offsets: [FieldOffset], of lineage: Set<String>, _ lifetime: ObjectLifetime, _ sites: CallSiteTable) {
    /// Whether an initializer or a deinit made an event, of the holder's class or of another one; nil for other code.
    func isHolders(_ role: ParsedFunctionName.Role, _ row: HistoryRow) -> Bool? {
      guard let name = sites.site(row.backtrace).name, name.role == role, !name.isClosure else { return nil }
      return name.typeName.map { lineage.contains($0.withoutTypeArguments) }
    }
    func isOfLibrary(_ row: HistoryRow) -> Bool {
      sites.facts(row.backtrace).first?.allSatisfy(\.isLibrary) ?? false
    }
    var retains: [HistoryRow] = []
    var ended = 0
    // Code that is not optimized passes a library references of its own, not those that properties have.
    let birth = lifetime.history.allocation
    var passed = birth.flatMap { sites.isOptimized($0.backtrace) } == false ? 1 : 0
    var endedByLibraries = 0
    /// At other offsets, from objects or from parts of them and of variables.
    var others: [FieldOffset: Int] = [:]
    for row in lifetime.history.rows where row.event.strongChange != 0 && row.event.kind != .allocate {
      switch sites.referenceMove(row.backtrace) {
      case .stored(let offset, from: .object) where offsets.contains(offset): retains.append(row)
      // Other new memory may be a closure's context.
      case .stored(let offset, from: .new)
      where offsets.contains(offset) && sites.site(row.backtrace).name?.role == .initializer:
        retains.append(row)
      case .stored(let offset, from: .unknown)
      where offsets.contains(offset) && isHolders(.initializer, row) == true:
        retains.append(row)
      case .stored(let other, from: _): others[other, default: 0] += 1
      case .removed(let other, _, _) where !offsets.contains(other) && others[other, default: 0] > 0:
        others[other]! -= 1
      case .local where sites.isOptimized(row.backtrace) == false: passed -= 1
      // Another class's deinit releases what its own properties have.
      case .removed(_, isReplaced: false, _)
      where isHolders(.deinitializer, row) == false && sites.isOptimized(row.backtrace) == false:
        break
      case nil where row.event.strongChange > 0, .copied: if sites.isOptimized(row.backtrace) == false { passed += 1 }
      case nil where isOfLibrary(row) && sites.isOptimized(row.backtrace) == false: endedByLibraries += 1
      case .removed, .local, nil: if row.event.strongChange < 0 { ended += 1 }
      }
    }
    self.retains = retains
    remaining = retains.count - ended - max(0, endedByLibraries - max(0, passed))
  }
}
