/// A leak's references as a picture: boxes for objects and closures, arrows with the properties and lines of the
/// references.
///
/// Boxes are in two rows like the stations of a ring: the upper row runs to the right, the lower one back.
struct CycleFigure {
  private struct Box {
    let title: String
    let note: String
    let isClosure: Bool
    /// The reference out of it.
    let label: String
    let place: String
    let isCut: Bool
  }

  private let boxes: [Box]
  private let isCycle: Bool
  private static let limit = 8
  private static let titleLimit = 22
  /// Characters of a note that fit into a box.
  private static let noteLimit = 24
  private static let width = 176, height = 46, gap = 168, rise = 92, margin = 12

  /// Nil if there is nothing to draw.
  init?(_ path: [Report.PathStep]) {
    guard path.count > 1, let first = path.first, let last = path.last else { return nil }
    isCycle = first.class == last.class && first.object == last.object && last.property == nil
    let steps = isCycle ? Array(path.dropLast()) : path
    let all = (path.count <= 2 ? steps : Self.withoutStorage(steps)).map(Self.box)
    if all.count <= Self.limit {
      boxes = all
    } else {
      let left = all.count - Self.limit + 1
      let between = Box(
        title: "… \(Quantity.number(left)) more", note: "", isClosure: true, label: all[all.count - 3].label, place: "",
        isCut: false)
      boxes = Array(all.prefix(5)) + [between] + all.suffix(2)
    }
    if boxes.isEmpty { return nil }
  }

  /// Without arrays and the like: what stored an element is at the property that has the array.
  private static func withoutStorage(_ steps: [Report.PathStep]) -> [Report.PathStep] {
    steps.reduce(into: []) { kept, step in
      guard step.kind == "storage", step.property == nil else { return kept.append(step) }
      guard let last = kept.indices.last, kept[last].kind == "property", kept[last].location == nil else { return }
      (kept[last].file, kept[last].line, kept[last].isNear) = (step.file, step.line, step.isNear)
      kept[last].perhaps = step.perhaps
    }
  }

  private static func box(_ step: Report.PathStep) -> Box {
    let name = PathText.short(step.class)
    switch step.kind {
    case "closure":
      return Box(
        title: "closure", note: step.location ?? PathText.closureName(step) ?? "", isClosure: true, label: "captures",
        place: "", isCut: step.isCut == true)
    case "variable":
      return Box(
        title: step.property.map { "variable \($0)" } ?? "captured variable", note: step.location ?? "",
        isClosure: true, label: "", place: "", isCut: step.isCut == true)
    case "memory":
      return Box(
        title: "memory", note: Quantity.bytes(step.bytes ?? 0), isClosure: true, label: "", place: "", isCut: false)
    case "task": return Box(title: "task", note: "", isClosure: true, label: "", place: "", isCut: false)
    case "storage" where step.property != nil:
      // A box has the name and the property of the struct in it.
      let parts = step.property!.split(separator: ".", maxSplits: 1).map(String.init)
      return Box(
        title: parts[0], note: "in a box", isClosure: true, label: parts.last!,
        place: step.statedLocation ?? step.possibleLocations ?? "",
        isCut: step.isCut == true)
    default:
      return Box(
        title: Self.fitted(step.object ?? name), note: "", isClosure: false, label: step.property ?? "",
        place: step.statedLocation ?? step.possibleLocations ?? "", isCut: step.isCut == true)
    }
  }

  /// Without generic arguments if it is too long for a box.
  private static func fitted(_ title: String) -> String {
    guard title.count > titleLimit, let start = title.firstIndex(of: "<"), let end = title.lastIndex(of: ">") else {
      return title
    }
    return String(title[..<start] + title[title.index(after: end)...])
  }

  private var columns: Int { isCycle ? (boxes.count + 1) / 2 : min(boxes.count, 4) }

  /// The upper left corner of a box.
  private func corner(_ index: Int) -> (x: Int, y: Int) {
    let row = index / columns, position = index % columns
    let column = row % 2 == 0 ? position : columns - 1 - position
    return (
      Self.margin + (closing.map(room) ?? 0) + column * (Self.width + Self.gap),
      Self.margin + row * (Self.height + Self.rise)
    )
  }

  /// The box whose reference closes a ring, with its text on the left.
  private var closing: Box? { isCycle ? boxes.last : nil }

  /// Those whose references turn into the next row, with their text on the right.
  private var turning: [Box] {
    boxes.indices.filter { $0 % columns == columns - 1 && $0 < boxes.count - 1 }.map { boxes[$0] }
  }

  /// How far the text next to an arrow may extend beyond the boxes.
  private func room(for box: Box) -> Int {
    let text = max(8 * min(box.label.count, 24), 8 * min(box.place.count, 30))
    if boxes.count == 1 { return max(0, text / 2 - Self.width / 2) }
    return max(0, text + 10 - Self.width / 2 + (boxes.count == 2 ? 40 : 0))
  }

  var markup: Markup {
    let rows = (boxes.count + columns - 1) / columns
    let sides = (closing.map(room) ?? 0) + (boxes.count == 1 ? closing.map(room) ?? 0 : turning.map(room).max() ?? 0)
    let width = 2 * Self.margin + sides + columns * Self.width + (columns - 1) * Self.gap
    let height = 2 * Self.margin + rows * Self.height + (rows - 1) * Self.rise + (boxes.count == 1 ? 70 : 0)
    let shapes = boxes.indices.map(box).joined()
    let arrows = boxes.indices.map(arrow).joined()
    return """
      <figure class="cycle"><figcaption>\
      <h4>\(isCycle ? "What keeps what" : "What still refers to it" as Markup)</h4></figcaption>
      <div class="scroll" tabindex="0" role="region" aria-label="Picture of the references">\
      <svg role="img" aria-label="\(PathLabel.text(boxes.map(\.title)), limit: 600)" \
      width="\(width)" height="\(height)" viewBox="0 0 \(width) \(height)">
      \(arrows)\(shapes)</svg></div></figure>

      """
  }

  private enum PathLabel { static func text(_ names: [String]) -> String { names.joined(separator: " refers to ") } }

  private func box(_ index: Int) -> Markup {
    let box = boxes[index], corner = corner(index)
    let middle = corner.x + Self.width / 2
    let note: Markup =
      box.note.isEmpty
      ? "" : "<text class=\"note\" x=\"\(middle)\" y=\"\(corner.y + 36)\">\(box.note, limit: Self.noteLimit)</text>"
    return """
      <g class="\(box.isClosure ? "context" : "object" as Markup)">\
      <rect x="\(corner.x)" y="\(corner.y)" width="\(Self.width)" height="\(Self.height)" \
      rx="\(box.isClosure ? 20 : 6)"/>\
      <text x="\(middle)" y="\(corner.y + (box.note.isEmpty ? 28 : 20))">\
      \(box.title, limit: Self.titleLimit)</text>\(note)</g>

      """
  }

  private func arrow(_ index: Int) -> Markup {
    let isLast = index == boxes.count - 1
    if isLast, !isCycle { return "" }
    let box = boxes[index], from = corner(index), to = corner(isLast ? 0 : index + 1)
    let middle = Self.height / 2
    if boxes.count == 1 {
      let x = from.x + Self.width / 2, y = from.y + Self.height
      let loop: Markup = "M \(x + 50) \(y) v 30 h -100 v -24"
      return line(loop, box, x: x, y: y + 46, anchor: "middle")
    }
    if from.y == to.y {
      let isRight = from.x < to.x
      let start = isRight ? from.x + Self.width : from.x
      let end = isRight ? to.x - 6 : to.x + Self.width + 6
      return line(
        "M \(start) \(from.y + middle) H \(end)", box, x: (start + end) / 2, y: from.y + middle - 8, anchor: "middle")
    }
    // Up or down, at the side where the ring turns; a ring of two has both beside each other.
    let isDown = to.y > from.y
    let shift = boxes.count == 2 ? (isDown ? 40 : -40) : 0
    let x1 = from.x + Self.width / 2 + shift, x2 = to.x + Self.width / 2 + shift
    let y1 = isDown ? from.y + Self.height : from.y
    let y2 = isDown ? to.y - 6 : to.y + Self.height + 6
    let isLeft = isLast && isCycle
    return line(
      "M \(x1) \(y1) L \(x2) \(y2)", box, x: (x1 + x2) / 2 + (isLeft ? -10 : 10), y: (y1 + y2) / 2,
      anchor: isLeft ? "end" : "start")
  }

  private func line(_ path: Markup, _ box: Box, x: Int, y: Int, anchor: Markup) -> Markup {
    let place: Markup =
      box.place.isEmpty
      ? ""
      : """
      <text class="place" text-anchor="\(anchor)" x="\(x)" \
      y="\(y + (anchor.html == "middle" ? 22 : 14))">\(box.place, limit: 30)</text>
      """
    let label: Markup =
      box.label.isEmpty
      ? "" : "<text class=\"label\" text-anchor=\"\(anchor)\" x=\"\(x)\" y=\"\(y)\">\(box.label, limit: 24)</text>"
    let tip: Markup = box.isCut ? "mark-cut" : "mark-reference"
    return """
      <g class="\(box.isCut ? "reference cut" : "reference" as Markup)">\
      <path d="\(path)" marker-end="url(#\(tip))"/>\(label)\(place)</g>

      """
  }
}
