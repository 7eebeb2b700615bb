import LifelineTrace

/// Generations whose ends the program did not mark, as a trace keeps them for later.
extension Generations {
  private static let key = "generations"

  /// Those with which a trace was recorded; nil if it was recorded without, or what it says is not understood.
  public init?(_ trace: Trace) {
    guard let words = trace.tables.options[Self.key]?.split(separator: " "), let sort = words.first else { return nil }
    let times = words.dropFirst().compactMap { UInt64($0) }
    guard times.count == words.count - 1 else { return nil }
    switch sort {
    case "every":
      guard times.count == 1, times[0] > 0 else { return nil }
      self = .every(times[0])
    case "at":
      guard zip(times, times.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
      self = .at(times)
    default: return nil
    }
  }

  /// Adds them to a trace that its process no longer writes; nothing if they are the program's marks.
  ///
  /// - Throws: `TraceError` if the file is not a trace or cannot be written, or if there are thousands of times.
  public func append(to path: String) throws {
    let value: String
    switch self {
    case .marks: return
    case .every(let step): value = "every \(step)"
    case .at(let times): value = (["at"] + times.map { "\($0)" }).joined(separator: " ")
    }
    try TraceAppender(path: path).append(option: Self.key, value)
  }
}
