import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Finds the object whose method used another object, and the property it went through.
struct SenderInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  /// The declaration of the reference that an access went through, if any.
  func sender(_ access: LifetimeTracker.Access, _ tables: TraceTables) -> Sender? {
    guard let reference = access.reference, reference.owner.number != 0,
      let property = tables.declaration(reference.declaration)?.property
    else { return nil }
    return Sender(
      className: reference.owner.className, declarer: classes.declarer(of: property, in: reference.owner.className),
      candidates: [reference.owner],
      property: StoredProperty(
        name: property, strength: reference.strength == .unownedUnsafe ? .unownedUnsafe : .unowned,
        typeNames: [access.object.className]),
      isShown: true, isDeclared: true, lifetime: nil)
  }

  /// The sender in whose memory the freed object's address was when its method used it.
  func shownSender(_ access: LifetimeTracker.Access) -> Sender? {
    guard let id = access.sender, id.number != 0, let offset = access.event.sender?.offset,
      let typeName = ReferenceUser(access.backtrace, sites, classes)?.name.typeName,
      classes.shortLineage(id.className).contains(typeName),
      let property = classes.reference(at: offset, of: id.className, to: access.object.className)
        ?? only(of: id.className, access.object.className)
    else { return nil }
    let candidates = access.event.senderIsOneOfSeveral ? [] : [id]
    return Sender(
      className: id.className, declarer: classes.declarer(of: property.name, in: id.className),
      candidates: candidates, property: property, isShown: true, lifetime: nil)
  }

  /// The only property of the class that can refer to the object, if that does not own it: where a generic class has
  /// its properties is not known.
  private func only(of className: String, _ target: String) -> StoredProperty? {
    let all = classes.properties(of: className, referringTo: target, [.strong, .unowned, .unownedUnsafe, .unmanaged])
    return all.count == 1 && all[0].property.strength.isUncounted ? all[0].property : nil
  }

  /// The sender of an access; nil when no method of a known class made it.
  func sender(of target: ObjectID, at backtrace: BacktraceID, among live: [ObjectID]) -> Sender? {
    guard let typeName = ReferenceUser(backtrace, sites, classes)?.name.typeName,
      let className = classes.classes(named: typeName).first
    else { return nil }
    let candidates = live.filter { $0 != target && classes.lineage($0.className).contains(className) }
    let references = classes.properties(
      of: className, referringTo: target.className, [.unowned, .unownedUnsafe, .unmanaged])
    let property = references.count == 1 ? references[0].property : nil
    return Sender(
      className: className, declarer: property.flatMap { classes.declarer(of: $0.name, in: className) },
      candidates: candidates, property: property, isShown: false, lifetime: nil)
  }
}
