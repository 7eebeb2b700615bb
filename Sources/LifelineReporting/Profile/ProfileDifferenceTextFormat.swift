/// The difference of two profiles as text: what became more or less expensive, largest change first.
public struct ProfileDifferenceTextFormat {
  private let style: TextStyle

  private let width: Int?

  /// On a terminal with fewer columns than a table, names are above their numbers.
  public init(isColored: Bool = false, width: Int? = nil) {
    style = TextStyle(isColored: isColored)
    self.width = width
  }

  public func render(_ difference: ProfileDifference) -> String {
    var lines = [heading(difference), ""]
    lines += section(
      "Classes", difference.omitted.classes, header: ["class"] + Self.columns,
      difference.classes.map { [ProfileTextFormat.name($0.name)] + cells($0.change) })
    lines += section(
      "Functions, by their own cost", difference.omitted.functions,
      header: ["function"] + Self.columns + ["with callees"],
      difference.functions.map {
        [ProfileTextFormat.name($0.function)] + cells($0.exclusive) + [signed($0.inclusive.nanoseconds)]
      })
    if difference.classes.isEmpty, difference.functions.isEmpty { lines.append("Nothing differs.") }
    return lines.joined(separator: "\n").wrapped(to: width) + "\n"
  }

  private func heading(_ difference: ProfileDifference) -> String {
    let total = difference.total
    let before = total.before?.nanoseconds ?? 0, after = total.after?.nanoseconds ?? 0
    let program = ProgramName(difference.programAfter).text
    return "\(style.bold(program.shown(atMost: 200))): an estimated \(ProfileTextFormat.duration(after)), "
      + "\(ProfileTextFormat.duration(before)) in the earlier trace (\(signed(total.nanoseconds)))"
  }

  private static let columns = ["retains", "releases", "allocations", "live", "estimate", "change"]

  /// "120 → 80": what it was and what it is.
  private func cells(_ change: ProfileDifference.Change) -> [String] {
    func pair(_ value: (ProfileReport.Cost) -> Int) -> String {
      let before = change.before.map(value) ?? 0, after = change.after.map(value) ?? 0
      return before == after
        ? Quantity.number(after) : "\(Quantity.number(before)) → \(Quantity.number(after))"
    }
    return [
      pair(\.retains), pair(\.releases), pair(\.allocations), pair(\.live),
      ProfileTextFormat.duration(change.after?.nanoseconds ?? 0), signed(change.nanoseconds),
    ]
  }

  private func signed(_ nanoseconds: Int) -> String {
    if nanoseconds == 0 { return "0 ns" }
    return (nanoseconds < 0 ? "-" : "+") + Quantity.duration(UInt64(nanoseconds.magnitude))
  }

  private func section(_ title: String, _ omitted: Int, header: [String], _ rows: [[String]]) -> [String] {
    ProfileTextFormat.section(style.bold(title), omitted, header: header, rows, style, width: width)
  }
}
