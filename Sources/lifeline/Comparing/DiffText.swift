import LifelineGate
import LifelineReporting

/// Renders the differences between two recordings.
struct DiffText {
  let isColored: Bool
  private static let limit = 200

  func render(_ comparison: LifetimeComparison) -> String {
    var lines: [String] = []
    for group in comparison.groups.prefix(Self.limit) { lines += self.group(group) + [""] }
    let rest = comparison.groups.count - Self.limit
    if rest > 0 { lines.append("and \(rest) more groups of objects") }
    let same = "\(count(comparison.unchanged, "object")) unchanged."
    lines.append(
      comparison.isDifferent
        ? "\(count(comparison.groups.count, "difference")); \(same)" : "No difference; \(same)")
    return lines.joined(separator: "\n") + "\n"
  }

  private func group(_ group: LifetimeComparison.Group) -> [String] {
    let objects =
      group.count == 1 ? group.first.object.description : "\(group.count) objects, first \(group.first.object)"
    let head = "\(group.className) from \(group.site): \(objects)".safe
    return [isColored ? "\u{1B}[1m\(head)\u{1B}[0m" : head] + group.changes.map { "  \(text($0, group))" }
  }

  private func text(_ change: LifetimeComparison.Change, _ group: LifetimeComparison.Group) -> String {
    func lengths(_ word: String) -> String {
      "~ lives \(word): \(count(group.first.length, "event")) of its thread instead of "
        + "\(group.counterpart?.length ?? 0)"
    }
    let (text, color) =
      switch change {
      case .onlyOld: ("- allocated in the old recording only", "31")
      case .onlyNew: ("+ allocated in the new recording only", "32")
      case .becameImmortal: ("~ is now live at exit", "33")
      case .becameMortal: ("~ is now freed instead of live at exit", "33")
      case .finalReleaseMoved(let from, let to): ("~ final release by \(to) instead of \(from)", "33")
      case .retainAppeared(let function, let number): ("+ \(count(number, "retain")) by \(function)", "32")
      case .retainVanished(let function, let number): ("- \(count(number, "retain")) by \(function)", "31")
      case .releaseAppeared(let function, let number): ("+ \(count(number, "release")) by \(function)", "32")
      case .releaseVanished(let function, let number): ("- \(count(number, "release")) by \(function)", "31")
      case .longer: (lengths("longer"), "33")
      case .shorter: (lengths("shorter"), "33")
      }
    return isColored ? "\u{1B}[\(color)m\(text.safe)\u{1B}[0m" : text.safe
  }

  private func count(_ number: some BinaryInteger, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
