import LifelineLifetimes
import LifelineTrace

/// What closures captured.
extension LeakStoreInspector {
  /// Whether a closure's own code took the reference: when it ran, it had already captured the object.
  func isInside(_ row: HistoryRow, _ step: LeakStep) -> Bool {
    let site = sites.site(row.backtrace)
    guard step.kind == .closure, site.name?.isClosure == true, let taker = site.function,
      let closure = step.function.flatMap(sites.function)
    else { return false }
    if taker.function == closure.function { return true }
    let identity = ClosureIdentity.identity(ofName: closure.mangledName)
    return identity != nil && ClosureIdentity.identity(ofName: taker.mangledName) == identity
  }

  /// The candidates with which a closure captured the reference where it was created: nil if none did, and none if it
  /// is unknown which did.
  func captures(_ lifetime: ObjectLifetime, by step: LeakStep, among candidates: [HistoryRow]) -> [HistoryRow]? {
    let creators = creators(of: step)
    let captures = creators.lazy.map { name in candidates.filter { isTaken($0, by: name, creators[0]) } }
      .first { !$0.isEmpty }
    guard let line = step.function.flatMap(sites.line(ofClosureAt:)), let creator = creators.first,
      captures?.contains(where: { sites.site($0.backtrace).function?.line == line }) != true
    else { return captures }
    if let capture = capture(lifetime, on: line, by: creator) { return [capture] }
    // Only the optimizer moves a capture to another line.
    let isElsewhere = captures?.allSatisfy { sites.isOptimized($0.backtrace) == false } ?? false
    return isElsewhere ? [] : captures
  }

  /// The reference that a closure's creator took on the closure's line, and released after another call took one.
  ///
  /// The context of a closure that captured only the object is the object: the call that was given the closure retained
  /// it, and its creator released its own reference. Equal references can change places.
  func capture(_ lifetime: ObjectLifetime, on line: Int, by creator: String) -> HistoryRow? {
    let open = lifetime.pairing.unpairedRetains
    let taken = balanced(lifetime).filter { pair in
      let taker = sites.site(lifetime.history.rows[pair.retain].backtrace).function
      return taker?.function == creator && taker?.line == line
        && open.contains { pair.retain < $0 && $0 < pair.release }
    }
    // Of several, the others are the statement's own references: the newest was the call's argument.
    return taken.map(\.retain).max().map { lifetime.history.rows[$0] }
  }

  /// Of the events at which one function may have captured an object, those on the closure's line.
  func onLine(of step: LeakStep, _ captures: [HistoryRow]) -> [HistoryRow] {
    guard captures.count > 1, let line = step.function.flatMap(sites.line(ofClosureAt:)) else { return captures }
    let here = captures.filter { sites.site($0.backtrace).function?.line == line }
    return here.isEmpty ? captures : here
  }

  /// The names of the functions that may have created a closure, if its name is of the form "closure #1 in run()": the
  /// function that contains its code, and those around that one.
  func creators(of step: LeakStep) -> [String] {
    let name = step.function.flatMap(sites.function)?.function ?? ""
    let form = /(?:partial apply for |merged )*(?:implicit )?closure #\d+ in (.+)/
    return Array(sequence(first: name) { $0.wholeMatch(of: form).map { String($0.1) } }.dropFirst())
  }

  /// Whether one of a closure's creators took the reference. Another one than the first did so only if that is a
  /// closure inlined in it, or the one that the compiler makes for a method that is passed.
  func isTaken(_ row: HistoryRow, by creator: String, _ first: String) -> Bool {
    guard sites.site(row.backtrace).function?.function == creator else { return false }
    return creator == first || first.hasPrefix("implicit closure #") || sites.isOptimized(row.backtrace) != false
  }
}
