import LifelineLifetimes

extension HoldInspector {
  /// The property of its own object in which a method's code put another reference, or nil, before it released the one
  /// that was there; nil if that is not certain.
  func emptied(by release: HistoryRow, of object: ObjectID) -> Holder? {
    let site = sites.site(release.backtrace)
    guard site.isDirect, site.library == nil, site.role == nil, let name = site.name, !name.isClosure, !name.isStatic,
      let typeName = name.typeName, let outer = sites.outermost(release.backtrace),
      site.function?.isSameFunction(as: outer) == true,
      case .removed(.constant(let place), let isReplaced, isOwn: true)? = sites.referenceMove(release.backtrace),
      isReplaced || name.role == .deinitializer
    else { return nil }
    let owners = classes.classes(named: typeName)
    guard owners.count == 1, let property = classes.property(at: place, of: owners[0], referringTo: object.className)
    else { return nil }
    return .property(className: owners[0], property: property, instance: classes.onlyObject(of: owners[0]))
  }
}
