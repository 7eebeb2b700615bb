/// Writes a list of objects as a table, one line each.
public struct ObjectListFormat {
  private let style: TextStyle
  private let width: Int?

  /// - Parameter width: Columns of the terminal, for which long class names are truncated in the middle.
  public init(isColored: Bool = false, width: Int? = nil) {
    style = TextStyle(isColored: isColored)
    self.width = width
  }

  public func render(_ report: ObjectListReport) -> String {
    guard !report.objects.isEmpty else { return "No objects.\n" }
    var table = TextTable(
      header: ["object", "size", "state", "allocated", "age", "retains", "where"], rightAligned: [1, 3, 4, 5])
    for object in report.objects {
      table.add([
        object.object.safe, object.size == 0 ? "" : Quantity.bytes(object.size), object.state,
        Quantity.duration(object.allocated), Quantity.known(object.age) ?? "–", Quantity.number(object.retains),
        place(object),
      ])
    }
    var lines = table.lines(width: width, flexible: 0)
    lines[0] = style.dim(lines[0])
    return (lines + ["", summary(report)]).joined(separator: "\n") + "\n"
  }

  /// "Session.swift:12", which is short; the function if there is no line.
  private func place(_ object: ObjectListReport.Object) -> String {
    guard let file = object.file, let line = object.line else { return (object.function ?? "").safe }
    return "\(file.split(separator: "/").last ?? ""):\(line)".safe
  }

  private func summary(_ report: ObjectListReport) -> String {
    let all = "\(Quantity.count(report.count, "object")), \(Quantity.bytes(report.bytes))"
    let live = report.live == report.count ? "all live" : "\(Quantity.number(report.live)) live"
    let left = report.count - report.objects.count
    return "\(all); \(live) at the end." + (left > 0 ? " \(Quantity.number(left)) more: --limit shows them." : "")
  }
}
