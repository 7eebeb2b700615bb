import LifelineLifetimes
import LifelineTrace

/// Determines who held a reference, from the code that took it and the code that released it.
///
/// A property is named only on evidence: its setter, or an initializer or deinit of its class, was running during the
/// retain or the release; or methods of its class took and released the object, or released what nothing else in the
/// program could hold. What merely could have held it is `perhaps`.
struct HolderInspector {
  struct Claim {
    let holder: Holder
    let confidence: Confidence

    init(_ holder: Holder, _ confidence: Confidence) {
      self.holder = holder
      self.confidence = confidence
    }
  }

  let sites: CallSiteTable
  let classes: ClassTable

  /// The holder from a retain to the release that balanced it; `isSure` means that one call did both.
  func holder(_ id: ObjectID, _ retain: HistoryRow, _ release: HistoryRow, isSure: Bool) -> Claim {
    let before = sites.site(retain.backtrace), after = sites.site(release.backtrace)
    if let rule = after.rule, !(isSure && isCompiledIn(after, rule)) { return Claim(.activity(rule), .sure) }
    if isSure {
      if let user = user(retain, release) { return Claim(.function(user.function), .sure) }
      return outliving(retain, release) ?? Claim(running(before), .sure)
    }
    if isOneAsynchronousCall(retain, release) { return Claim(running(before), .likely) }
    if after.name?.role == .deinitializer, after.role != .contextDestroy, after.library == nil,
      let typeName = after.name?.typeName
    {
      return dying(id, typeName, release.dying)
    }
    for site in [after, before] {
      if let claim = setter(id, site) { return claim }
    }
    // A closure that an activity runs releases its captures where they were made; what else it releases is not the
    // activity's.
    if !after.endsItem, let rule = after.runner, let maker = before.function, let closure = after.function,
      closure.function.hasSuffix(" in \(maker.function)")
    {
      return Claim(.activity(rule), .likely)
    }
    if after.role == .contextDestroy || after.endsItem {
      // One call took it and released a context that it had made of it: a thunk around a closure that it called.
      if mayEndBox(release.backtrace) { return Claim(.reference, .likely) }
      let isOneCall = sites.programCall(retain.backtrace) == sites.programCall(release.backtrace)
      // What the main function stores outlives its statements.
      let isStored = before.role == .blockCopy || after.endsItem && before.isMain
      return isOneCall && retain.event.thread == release.event.thread && !isStored
        ? Claim(running(before), .likely) : Claim(.closure, .likely)
    }
    let (from, to) = (sites.place(retain.backtrace), sites.place(release.backtrace))
    if from.enclosing.contains(to.key),
      after.name?.typeName == nil || retain.event.kind == .allocate || isGotten(id, retain, release)
        || isLibraryResult(retain, before, after)
    {
      if let claim = returned(id, retain, release) { return claim }
    } else if to.lenders.contains(from.key), !before.isMain, retain.event.kind != .allocate {
      // A call around the releasing one passed its reference on, unless it is the program's main function, whose
      // reference is stored.
      return Claim(running(before), .likely)
    }
    // An initializer owns its arguments: it releases those that it does not keep.
    if after.name?.role == .initializer, after.name?.isClosure == false, !after.isUnmanaged {
      return Claim(running(after), .likely)
    }
    if let found = initialized(id, before) { return claim(found, isInitial: true, id) }
    if let claim = unshown(id, before, after, isWithin: from.enclosing.contains(to.key)) { return claim }
    if let library = after.library { return Claim(.library(library.function, image: library.image), .likely) }
    return Claim(.reference, .likely)
  }

  /// The function that released what another one had taken for it: one that ended with the release, or that read a
  /// property by an inlined getter.
  private func user(_ retain: HistoryRow, _ release: HistoryRow) -> CodeFrame? {
    let before = sites.site(retain.backtrace)
    if let function = sites.tailFunction(retain.backtrace, release.backtrace) { return function }
    guard before.library == nil, case .accessor(_, sets: false) = before.name?.role, let getter = before.function,
      sites.site(release.backtrace).function?.isSameFunction(as: getter) == false
    else { return nil }
    return sites.taker(retain.backtrace)
  }

  /// A rule may match all functions of a class compiled into the program: a reference that one call of such a function
  /// takes and releases is held by that function.
  private func isCompiledIn(_ site: CallSite, _ rule: HoldRule) -> Bool {
    rule.scope == .reference && site.library?.isSystem == false
  }

  /// Parts of one asynchronous function, which may run on different threads, took and released the reference.
  private func isOneAsynchronousCall(_ retain: HistoryRow, _ release: HistoryRow) -> Bool {
    guard retain.event.task != 0, retain.event.task == release.event.task,
      sites.place(retain.backtrace).caller == sites.place(release.backtrace).caller,
      let before = sites.site(retain.backtrace).function?.mangledName,
      let after = sites.site(release.backtrace).function?.mangledName
    else { return false }
    return before != after && AsynchronousPart(before).function == AsynchronousPart(after).function
  }

  /// A getter took the reference for its caller if it is a stored property's, or if its caller is of a type that has no
  /// place for it. The same is true for a method of a struct that only refers to objects.
  private func isGotten(_ id: ObjectID, _ retain: HistoryRow, _ release: HistoryRow) -> Bool {
    let before = sites.site(retain.backtrace), after = sites.site(release.backtrace)
    if before.name?.isClosure == false, before.name?.typeName.map(classes.isReferringValue) == true { return true }
    guard case .accessor(let property, sets: false) = before.name?.role, let typeName = after.name?.typeName else {
      return false
    }
    // A getter that reads a weak reference retains only its result, whatever else its class stores.
    if retain.event.kind == .weakLoad { return true }
    // The getter of a stored property retains only its result.
    if let owner = before.name?.typeName.flatMap({ classes.classes(named: $0).first }),
      classes.stores(property, in: owner)
    {
      return true
    }
    // A statement that read the property and released has not kept it in what may be a collection of a library.
    let isMomentary = sites.isMomentary(retain, release)
    return !classes.isStoredElsewhere(id.className)
      && classes.classes(named: typeName).allSatisfy {
        classes.properties(of: $0, referringTo: id.className, [.strong]).isEmpty
          && (isMomentary || !classes.keepsClosures($0) && !classes.keepsUnknown($0))
      }
  }

  /// A function of a library, which the releasing one called, took the reference and may have returned the object, as
  /// the getter of a value that a queue keeps does.
  private func isLibraryResult(_ retain: HistoryRow, _ before: CallSite, _ after: CallSite) -> Bool {
    guard before.library != nil, after.library == nil, after.role == nil, let user = after.function else {
      return false
    }
    let calls = sites.facts(retain.backtrace).joined().prefix { !$0.frame.isSameFunction(as: user) }
    guard calls.allSatisfy({ $0.isLibrary || !$0.isMeaningful }), let called = calls.last(where: \.isMeaningful) else {
      return false
    }
    return called.frame.mangledName?.hasPrefix("$s") == true && called.mayReturnObject
  }

  /// A call inside the releasing one took the reference, or created the object: it returned it, or stored it somewhere.
  ///
  /// Nil if it must have stored it and the place is unknown.
  private func returned(_ id: ObjectID, _ retain: HistoryRow, _ release: HistoryRow) -> Claim? {
    let before = sites.site(retain.backtrace), after = sites.site(release.backtrace)
    // It was in the property then; what happened until other code released it is unknown. An initializer's statement
    // that also released it has made it for another call.
    if retain.event.kind == .allocate, !isOneStatement(retain, after), let found = initialized(id, before) {
      return Claim(found, .perhaps)
    }
    let calls = sites.calls(retain.backtrace, inside: after.function)
    if calls.apart.contains(where: \.isResultless) || retain.event.kind != .allocate && isKept(id, calls.apart) {
      return nil
    }
    // The local variables of calls inlined into the releasing one are its own as well. One that replaced a property's
    // reference was called when that was taken already.
    let user = sites.replacesProperty(release.backtrace) ? sites.outermost(release.backtrace) : nil
    return Claim(
      user.map { .function($0.function) } ?? running(after),
      calls.inlined.contains(where: \.isResultless) ? .perhaps : .likely)
  }

  /// Whether the line of the releasing function that released a reference had taken it. In optimized code other lines
  /// than the statement's may stand there.
  private func isOneStatement(_ retain: HistoryRow, _ after: CallSite) -> Bool {
    guard let user = after.function, let line = user.line, sites.isOptimized(retain.backtrace) == false else {
      return false
    }
    return sites.facts(retain.backtrace).joined().first { user.isSameFunction(as: $0.frame) }?.frame.line == line
  }

  /// An initializer of another object ran in between, and that object is all that it returned.
  private func isKept(_ id: ObjectID, _ calls: [FrameFacts]) -> Bool {
    calls.contains { facts in
      facts.name.role == .initializer && !facts.name.isClosure && facts.name.typeName.map { !isOwn($0, id) } == true
    }
  }

  /// The holder of a reference that was never released.
  func openHolder(_ id: ObjectID, _ retain: HistoryRow) -> Claim {
    let site = sites.site(retain.backtrace)
    if let rule = site.rule { return Claim(.activity(rule), .likely) }
    if let library = site.library, !site.isUnmanaged {
      return Claim(.library(library.function, image: library.image), .likely)
    }
    if site.role == .blockCopy { return Claim(.closure, .likely) }
    if let claim = setter(id, site) { return claim }
    if let found = initialized(id, site) { return claim(found, isInitial: true, id) }
    return unshown(id, site, nil) ?? Claim(.reference, .likely)
  }

  /// The property of the object in whose initializer the reference was taken, or the object was created.
  func initialized(_ id: ObjectID, _ site: CallSite) -> Holder? {
    let isBirth = site.name?.role == .initializer && site.name?.typeName.map { isOwn($0, id) } == true
    guard let maker = isBirth ? site.caller : site.name, maker.role == .initializer, !maker.isClosure,
      let typeName = maker.typeName,
      !isOwn(typeName, id), !site.isUnmanaged
    else { return nil }
    return property(id, of: typeName, instance: nil)
  }

  /// Nothing shows the holder: use what the surrounding code suggests, or the only possibility that the program's
  /// classes leave. `isWithin`: a call inside the releasing one took the reference, and may have returned it.
  private func unshown(_ id: ObjectID, _ before: CallSite, _ after: CallSite?, isWithin: Bool = false) -> Claim? {
    // Manually counted: no property's reference is released that way.
    if before.isUnmanaged || after?.isUnmanaged == true { return Claim(.reference, .likely) }
    let isLink = !classes.properties(of: id.className, referringTo: id.className, [.strong]).isEmpty
    // A method does not own the object that it is called on: it releases what its caller passed.
    if let after, let typeName = after.name?.typeName, isOwn(typeName, id), !isLink, after.function != nil {
      return Claim(running(after), .perhaps)
    }
    for site in [after, before].compactMap({ $0 }) {
      guard let typeName = site.name?.typeName, isLink || !isOwn(typeName, id),
        let found = property(id, of: typeName, instance: nil)
      else { continue }
      let isShown =
        after != nil && !isWithin && isMember(site, before, after, of: typeName, making: id)
        && !classes.isStoredElsewhere(id.className)
        && !classes.classes(named: typeName).contains {
          classes.countsByHand($0) || classes.keepsClosures($0) || classes.reachesHolder($0, of: id.className)
        }
      if case .property(_, nil, _) = found, !isShown { continue }
      let isOnlyOne = before.library == nil && !isWithin && isExcluded(found, after, typeName, id)
      // Most elements of a list are held by others, not by the list.
      if isLink, !isOwn(typeName, id), !isShown, !isOnlyOne { continue }
      return Claim(found, isShown || isOnlyOne ? .likely : .perhaps)
    }
    // What a library released was more likely the library's.
    if after?.library == nil, let only = classes.onlyProperty(holding: id.className),
      classes.hasObjects(only.className), classes.onlyObject(of: only.className) != id,
      !mayHaveDropped(after, closureBeside: only.className), !isElement(after, id)
    {
      return Claim(
        .property(
          className: only.className, property: only.property.name, instance: classes.onlyObject(of: only.className)),
        .perhaps)
    }
    return nil
  }

  /// Code of another class, which keeps closures, released the object: more likely a capture of one of those.
  private func mayHaveDropped(_ after: CallSite?, closureBeside className: String) -> Bool {
    guard let typeName = after?.name?.typeName else { return false }
    let others = classes.classes(named: typeName)
    return !others.contains(className) && others.contains(where: classes.keepsClosures)
  }

  /// It was an element of a collection, and other places than properties can hold such objects.
  private func isElement(_ after: CallSite?, _ id: ObjectID) -> Bool {
    after?.isInCollection == true && classes.isStoredElsewhere(id.className)
  }

  /// Methods of the type took the reference, or created the object, and released it. The accessors of a computed
  /// property, as those of a stored one are evidence of their own, may lead to another object's.
  private func isMember(
    _ site: CallSite, _ before: CallSite, _ after: CallSite?, of typeName: String, making id: ObjectID
  ) -> Bool {
    guard site.name?.isClosure == false, before.name?.isClosure == false, after?.name?.typeName == typeName,
      before.library == nil, after?.library == nil
    else { return false }
    for site in [before, after] { if case .accessor = site?.name?.role { return false } }
    if before.name?.typeName == typeName { return true }
    guard before.name?.role == .initializer, let own = before.name?.typeName, isOwn(own, id) else { return false }
    return before.caller?.typeName == typeName && before.caller?.isClosure == false
  }

  /// A method of the type released a reference that it had not taken, and nothing else in the program is declared to
  /// hold such an object.
  private func isExcluded(_ found: Holder, _ after: CallSite?, _ typeName: String, _ id: ObjectID) -> Bool {
    guard case .property(let className, let property?, _) = found, let after, after.library == nil,
      after.name?.typeName == typeName,
      after.name?.isClosure == false
    else { return false }
    return classes.isOnlyPlace(property, of: className, for: id.className)
  }

  func running(_ site: CallSite) -> Holder {
    if let function = site.function, site.library == nil { return .function(function.function) }
    if let library = site.library { return .function(library.function) }
    return site.function.map { .function($0.function) } ?? .reference
  }

  private func isOwn(_ typeName: String, _ id: ObjectID) -> Bool {
    classes.shortLineage(id.className).contains(typeName)
  }

  /// The property of the running setter, if it can hold the object: its observers may have used others.
  private func setter(_ id: ObjectID, _ site: CallSite) -> Claim? {
    guard case .accessor(let property, sets: true) = site.name?.role, let typeName = site.name?.typeName else {
      return nil
    }
    if classes.isWeak(property, of: typeName) { return Claim(running(site), .likely) }
    let owner = classes.classes(named: typeName).first
    if site.name?.isStatic == true {
      return Claim(.property(className: owner ?? typeName, property: property, instance: nil), .likely)
    }
    if owner == nil, property == "wrappedValue" { return wrapped(id, site) }
    // A setter without a stored property stores the value somewhere else.
    if let owner, classes.isComputed(property, of: owner) || classes.cannotHold(id.className, property, of: owner) {
      return nil
    }
    return Claim(
      .property(className: owner ?? typeName, property: property, instance: owner.flatMap(classes.onlyObject)),
      owner == nil ? .perhaps : .likely)
  }

  /// The wrapped property that a property wrapper's setter is setting, if that wrapper keeps the value itself.
  private func wrapped(_ id: ObjectID, _ site: CallSite) -> Claim? {
    guard case .accessor(let property, sets: true) = site.caller?.role,
      let owner = site.caller?.typeName.flatMap({ classes.classes(named: $0).first }), site.caller?.isStatic == false,
      !classes.cannotHold(id.className, property, of: owner)
    else { return nil }
    return Claim(.property(className: owner, property: property, instance: classes.onlyObject(of: owner)), .perhaps)
  }

  /// A property of the object that was dying. If that is none of the recorded ones, the optimizer has put it on the
  /// stack, and it is not the only recorded object of the class, either.
  private func dying(_ id: ObjectID, _ typeName: String, _ instance: ObjectID?) -> Claim {
    if let found = property(id, of: typeName, instance: instance) {
      guard instance == nil, case .property(let className, let property, _) = found else { return claim(found, id) }
      return claim(.property(className: className, property: property, instance: nil), id)
    }
    guard let instance, classes.keepsUnknown(instance.className) else { return Claim(.reference, .likely) }
    return Claim(.property(className: instance.className, property: nil, instance: instance), .perhaps)
  }

  /// A closure in another property may have captured the object, as a context of one reference is that reference
  /// itself. An initializer may have put what it took into a variable.
  private func claim(_ found: Holder, isInitial: Bool = false, _ id: ObjectID) -> Claim {
    guard case .property(let className, .some, _) = found else { return Claim(found, .likely) }
    let isDoubtful = classes.keepsClosures(className) || isInitial && classes.isStoredElsewhere(id.className)
    return Claim(found, isDoubtful ? .perhaps : .likely)
  }

  /// The strong property of a class that can hold the object: its name if there is only one; nil if there is none.
  private func property(_ id: ObjectID, of typeName: String, instance: ObjectID?) -> Holder? {
    let candidates = classes.classes(named: typeName)
    guard let owner = instance?.className ?? candidates.first else { return nil }
    let found = classes.properties(of: owner, referringTo: id.className, [.strong])
    if found.isEmpty { return nil }
    // An object is not assumed to hold itself.
    if instance == nil, classes.onlyObject(of: owner) == id { return nil }
    return .property(
      className: owner, property: found.count == 1 ? found[0].property.name : nil,
      instance: instance ?? classes.onlyObject(of: owner))
  }

  /// Whether the compiler's function that released may have ended the box of a value: its metadata is like a closure's.
  private func mayEndBox(_ backtrace: BacktraceID) -> Bool {
    let end = sites.backtraces.entries(backtrace).first { entry in
      entry.isFrame && sites.functions(at: entry).contains { $0.name.role == .contextDestroy }
    }
    return end.map(sites.names.mayEndBox) ?? false
  }
}
