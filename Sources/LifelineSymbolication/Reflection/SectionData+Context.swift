extension SectionData {
  /// Kinds of context descriptors.
  enum ContextKind {
    static let module: UInt32 = 0, anonymous: UInt32 = 2, protocolType: UInt32 = 3, classType: UInt32 = 16
  }

  func contextKind(at address: UInt64) -> UInt32? { word(at: address).map { $0 & 0x1F } }

  /// "Module.Outer.Inner"; contexts without a name of their own (anonymous ones) are passed over.
  func contextName(at start: UInt64) -> String? {
    var parts: [String] = []
    var address = start
    for _ in 0..<16 {
      guard let kind = contextKind(at: address) else { return nil }
      if kind != ContextKind.anonymous {
        guard kind == ContextKind.module || kind >= ContextKind.classType || kind == ContextKind.protocolType,
          let part = target(at: address + 8).flatMap(string)
        else { return nil }
        parts.append(part)
      }
      guard kind != ContextKind.module else { break }
      // The lowest bit says that the parent is reached through a pointer: it is another file's.
      guard let parent = target(at: address + 4), parent & 1 == 0 else { return nil }
      address = parent
    }
    return parts.reversed().joined(separator: ".")
  }
}
