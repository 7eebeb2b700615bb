import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// The retains whose references the code stored in objects at one offset, as the code itself shows.
struct StoredReferences {
  /// Those that stored one, in order.
  let retains: [HistoryRow]
  /// How many of those references are still there at least, whatever made the events of which this is not known.
  let remaining: Int

  /// `lineage` names the holder's class and its superclasses, whose initializers store in the new object. O(events).
  init(at offset: Int, of lineage: Set<String>, _ lifetime: ObjectLifetime, _ sites: CallSiteTable) {
    func isOfInitializer(_ row: HistoryRow) -> Bool {
      guard let name = sites.site(row.backtrace).name, name.role == .initializer, !name.isClosure else { return false }
      return name.typeName.map { lineage.contains($0.withoutTypeArguments) } ?? false
    }
    var retains: [HistoryRow] = []
    var ended = 0
    /// At other offsets, from objects or from parts of them and of variables.
    var others: [Int: Int] = [:]
    for row in lifetime.history.rows where row.event.strongChange != 0 && row.event.kind != .allocate {
      switch sites.referenceMove(row.backtrace) {
      case .stored(offset, from: .object): retains.append(row)
      // Other new memory may be a closure's context.
      case .stored(offset, from: .new) where sites.site(row.backtrace).name?.role == .initializer: retains.append(row)
      case .stored(offset, from: .unknown) where isOfInitializer(row): retains.append(row)
      case .stored(let other, from: _): others[other, default: 0] += 1
      case .removed(let other, isReplaced: _) where other != offset && others[other, default: 0] > 0:
        others[other]! -= 1
      case .local where sites.isOptimized(row.backtrace) == false: break
      case .removed, .local, nil: if row.event.strongChange < 0 { ended += 1 }
      }
    }
    self.retains = retains
    remaining = retains.count - ended
  }
}
