import LifelineTrace

/// Who created an object.
extension CallSiteTable {
  /// The function of the program's own that allocated an object, outside of its class's initializers; "" if there is
  /// none.
  func allocator(_ id: BacktraceID, of className: String) -> String {
    allocating(id, of: className)?.frame.function ?? ""
  }

  /// What is known about the function that `allocator` names.
  func allocating(_ id: BacktraceID, of className: String) -> FrameFacts? {
    for site in backtraces.entries(id) where site.isFrame {
      for facts in functions(at: site) where !facts.isLibrary && facts.isMeaningful && !isInitializer(facts, className)
      {
        return facts
      }
    }
    return nil
  }

  /// Whether it is an initializer of an object's class, or an inherited convenience initializer: the code of one that
  /// allocates is in `__allocating_init`.
  private func isInitializer(_ facts: FrameFacts, _ className: String) -> Bool {
    guard facts.name.role == .initializer, let typeName = facts.name.typeName?.withoutTypeArguments else {
      return false
    }
    if typeName == className.withoutTypeArguments { return true }
    guard facts.frame.function.contains("__allocating_init(") else { return false }
    var seen: Set<String> = []
    var next = parents[className.withoutTypeArguments]
    while let parent = next, seen.insert(parent).inserted {
      if parent == typeName { return true }
      next = parents[parent]
    }
    return false
  }

  /// Whether a function creates objects of a class for its callers: the initializer of a value that holds one, or a
  /// static function of the class.
  private func isForCallers(_ name: ParsedFunctionName, _ className: String) -> Bool {
    guard let type = name.typeName?.withoutTypeArguments, !name.isClosure else { return false }
    return name.isStatic && type == className.withoutTypeArguments
      || name.role == .initializer && !classNames.contains(type)
  }

  /// Whether an event is inside of the initializer call that allocated an object, judging by the callers.
  func isCall(_ id: BacktraceID, inside birth: BacktraceID, of className: String) -> Bool {
    creators(birth, of: className).first.map { isInside(id, $0.callers) } ?? false
  }

  /// Whether an initializer of an object's class made an event, called where the object was allocated.
  func isInitializing(_ id: BacktraceID, _ birth: BacktraceID, of className: String) -> Bool {
    let around = initialization(birth, of: className)
    return around != nil && around == initialization(id, of: className)
  }

  /// The sites outside of the initializers that a backtrace begins with; nil if there are none.
  private func initialization(_ id: BacktraceID, of className: String) -> [UInt64]? {
    let sites = backtraces.entries(id).filter(\.isFrame)
    var isInitialized = false
    let outside = sites.drop { site in
      functions(at: site).allSatisfy { facts in
        if facts.isLibrary || !facts.isMeaningful { return true }
        guard isInitializer(facts, className) else { return false }
        isInitialized = true
        return true
      }
    }
    return isInitialized && outside.count < sites.count ? outside.map(\.word) : nil
  }

  /// Whether a function's event is inside of the call that created an object, or of the one that called that and may
  /// have been given the object. Top-level code is not: it has global variables.
  func isCreator(_ function: String, _ id: BacktraceID, of birth: BacktraceID, _ className: String) -> Bool {
    let creators = creators(birth, of: className) { isForCallers($0, className) }
    func isCreator(_ index: Int) -> Bool {
      creators[index].function == function && isInside(id, creators[index].callers)
    }
    return creators.count > 0 && isCreator(0) || creators.count > 1 && function != "main" && isCreator(1)
  }

  /// The function of the program's own that created an object with an initializer, and the one that called it, with the
  /// sites of their callers.
  private func creators(
    _ birth: BacktraceID, of className: String, skipping isSkipped: (ParsedFunctionName) -> Bool = { _ in false }
  ) -> [(function: String, callers: [UInt64])] {
    let sites = backtraces.entries(birth).filter(\.isFrame)
    var found: [(String, [UInt64])] = []
    for (index, site) in sites.enumerated() {
      for facts in functions(at: site) where !facts.isLibrary && facts.isMeaningful {
        if isInitializer(facts, className) { continue }
        if found.isEmpty, isSkipped(facts.name) { continue }
        // An inlined call may be listed twice.
        if found.last?.0 == facts.frame.function { continue }
        found.append((facts.frame.function, sites[(index + 1)...].map(\.word)))
        if found.count == 2 { return found }
      }
    }
    return found
  }

  /// Whether a function that made an event may have made another one with its last instruction, a jump, after which the
  /// event seems to be its caller's.
  func mayEnd(with last: BacktraceID, _ id: BacktraceID) -> Bool {
    let callers = backtraces.entries(last).filter(\.isFrame).map(\.word)
    return callers.count < backtraces.entries(id).count(where: \.isFrame) && isInside(id, callers)
  }

  private func isInside(_ id: BacktraceID, _ callers: [UInt64]) -> Bool {
    backtraces.entries(id).filter(\.isFrame).suffix(callers.count).map(\.word) == callers
  }
}
