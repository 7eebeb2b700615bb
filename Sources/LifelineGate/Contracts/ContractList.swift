import LifelineAnalysis

/// A contract file: lines `Class: rule`, blank lines, and comments after a `#`.
public struct ContractList: Sendable, Equatable {
  public let contracts: [Contract]
  private static let rules =
    "max-live N, freed-on THREAD, never-freed-off THREAD, gone-at-exit, no-leak, dies-within N events|ms of HOLDER, "
    + "holders only [HOLDER, …]"

  /// - Throws: `GateError` with file and line.
  public init(_ text: String, file: String) throws {
    var found: [Contract] = []
    for (index, whole) in text.trimmedLines.enumerated() {
      let line = whole.prefix { $0 != "#" }.trimmed
      if line.isEmpty { continue }
      let place = "\(file):\(index + 1)"
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        throw GateError("\(place): invalid contract '\(line)'; write Class: rule. The rules are \(Self.rules).")
      }
      let subject = line[..<colon].trimmed
      let rule = try Self.rule(line[line.index(after: colon)...].trimmed, place)
      found.append(Contract(subject: NamePattern(subject), rule: rule, text: line))
    }
    contracts = found
    if found.isEmpty { throw GateError("\(file) has no contracts; write one per line, as Class: rule.") }
  }

  private static func rule(_ text: String, _ place: String) throws -> Contract.Rule {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" }).map(String.init)
    switch (words.first, words.count) {
    case ("max-live", 2):
      guard let limit = Int(words[1]), limit >= 0 else {
        throw GateError("\(place): max-live takes a non-negative number, not '\(words[1])'.")
      }
      return .maxLive(limit)
    case ("freed-on", 2): return .freedOn(Contract.ThreadName(text: words[1]))
    case ("never-freed-off", 2): return .neverFreedOff(Contract.ThreadName(text: words[1]))
    case ("gone-at-exit", 1): return .goneAtExit
    case ("no-leak", 1): return .noLeak
    case ("dies-within", 5...) where words[3] == "of":
      guard let delay = Contract.Delay(words[1], words[2]) else {
        throw GateError(
          "\(place): invalid duration '\(words[1]) \(words[2])': expected a number followed by events, ns, us, ms or s."
        )
      }
      return .diesWithin(delay, of: HolderPattern(words.dropFirst(4).joined(separator: " ")))
    case ("holders", 2...) where words[1] == "only":
      let list = text.dropFirst("holders".count).trimmed.dropFirst("only".count).trimmed
      guard list.hasPrefix("["), list.hasSuffix("]") else {
        throw GateError("\(place): write the holders as [One, Other].")
      }
      let names = list.dropFirst().dropLast().split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
      return .holdersOnly(names.map(HolderPattern.init))
    default: throw GateError("\(place): unknown rule '\(text)'; the rules are \(rules).")
    }
  }
}
