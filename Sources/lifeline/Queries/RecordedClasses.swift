import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// The classes of traces, for checking patterns: a misspelled one would otherwise go unnoticed.
struct RecordedClasses {
  let names: Set<String>

  init(_ names: some Sequence<String>) { self.names = Set(names) }

  init(_ traces: [Trace]) { self.init(traces.flatMap { $0.tables.classes.values.map(\.name) }) }

  /// The problem with a pattern, or nil if it matches a class.
  func problem(_ option: String, _ pattern: String) -> String? {
    let wanted = NamePattern(pattern)
    if names.contains(where: wanted.matchesClass) { return nil }
    return "\(option) '\(pattern)' matched no recorded class.\(suggestion(for: pattern))"
  }

  /// " Did you mean 'Node'?", or ""; a generic class has a star for its arguments.
  func suggestion(for pattern: String) -> String {
    let wanted = pattern.filter { $0 != "*" }
    if let word = Suggestion(for: wanted, among: short).word { return " Did you mean '\(word)'?" }
    return generic(wanted).map { " Did you mean '\($0)<*'?" } ?? ""
  }

  /// The class that a misspelled name refers to, without its module; the arguments of a generic one may be omitted, and
  /// the types around a nested one.
  func nearest(_ name: String) -> String? {
    var classes: [String: [String]] = [:]
    for name in short {
      let plain = name.withoutTypeArguments
      for known in Set([name, plain, plain.split(separator: ".").last.map(String.init) ?? plain]) {
        classes[known, default: []].append(name)
      }
    }
    return Suggestion(for: name, among: Array(classes.keys)).word.flatMap { classes[$0]?.min() }
  }

  private var short: [String] {
    names.map { ObjectID(className: $0, number: 1).shortClassName }.filter { !$0.hasPrefix("(") }
  }

  /// The name of a generic class, without its arguments.
  private func generic(_ name: String) -> String? {
    let stem = String(name.prefix { $0 != "<" })
    guard !stem.isEmpty else { return nil }
    let stems = short.compactMap { name in name.firstIndex(of: "<").map { String(name[..<$0]) } }
    return Suggestion(for: stem, among: stems).word
  }
}
