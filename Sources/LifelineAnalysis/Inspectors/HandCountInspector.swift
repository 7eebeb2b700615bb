import LifelineLifetimes
import LifelineTrace

/// Finds the type whose methods released an object more often than they retained it, if the type only has pointers to
/// it: manually counted references.
struct HandCountInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  /// In the order of their first release.
  func counts(_ lifetime: ObjectLifetime, before access: UInt64) -> [HandCount] {
    // A retain and release within one call are balanced.
    let balanced = Set(
      lifetime.pairing.pairs.filter { $0.confidence == .sure }.flatMap { [$0.retain, $0.release] })
    var order: [String] = []
    var others: Set<String> = []
    var found: [String: HandCount] = [:]
    for (index, row) in lifetime.history.rows.enumerated() where row.event.sequence < access {
      guard row.event.strongChange != 0, row.event.kind != .allocate,
        let name = counter(sites.site(row.backtrace), lifetime.id)
      else { continue }
      if balanced.contains(index) {
        others.insert(name)
        continue
      }
      if found[name] == nil {
        order.append(name)
        found[name] = HandCount(counter: name)
      }
      if row.event.strongChange < 0 { found[name]!.releases.append(row) } else { found[name]!.retains.append(row) }
    }
    for name in others { found[name]?.tookOthers = true }
    return order.compactMap { found[$0] }.filter { $0.releases.count > $0.retains.count }
  }

  /// The class, or the function that does not belong to one, that handles the object through a pointer.
  private func counter(_ site: CallSite, _ id: ObjectID) -> String? {
    // A closure may have captured the object, except one that is a C function.
    guard let function = site.function, site.library == nil || site.isUnmanaged, let name = site.name,
      !name.isClosure || function.mangledName?.hasSuffix("To") == true, site.role != .contextDestroy, !site.isMain
    else { return nil }
    guard !name.isClosure, let typeName = name.typeName else {
      let signature = function.mangledName ?? ""
      return name.role == .function && (signature.contains("Sv") || signature.contains("SV")) ? function.function : nil
    }
    guard name.role == .function, let className = classes.classes(named: typeName).first,
      !classes.shortLineage(id.className).contains(typeName), classes.countsByHand(className),
      !classes.keepsClosures(className), classes.properties(of: className, referringTo: id.className, [.strong]).isEmpty
    else { return nil }
    return typeName
  }
}
