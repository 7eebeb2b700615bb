import CLifelineFormat

extension StreamDecoder {
  /// The format's facts about an event kind.
  struct KindFacts {
    /// Nil for an unknown number.
    let kind: EventKind?
    let arguments: UInt8
    let hasObject: Bool
    let hasCount: Bool
    /// The change of the predicted count, multiplied by the first argument if that is a number of references.
    let change: Int64
    let changesByArgument: Bool

    init(_ number: Int) {
      let info = lifeline_kind(UInt32(number))
      kind = EventKind(rawValue: UInt8(number))
      arguments = UInt8(info.arguments)
      hasObject = info.has_object != 0
      hasCount = info.has_count != 0
      change =
        switch kind {
        case .retain, .retainN: 1
        case .release, .releaseN: -1
        default: 0
        }
      changesByArgument = kind == .retainN || kind == .releaseN
    }
  }

  static let facts: [KindFacts] = (0..<256).map(KindFacts.init)
}
