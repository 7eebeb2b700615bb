/// What keeps how much at the program's end, as an expandable tree.
struct KeptSection {
  let heap: Report.Heap?

  private static let entryLimit = 600

  var markup: Markup {
    guard let heap, heap.isExamined, !heap.kept.isEmpty else { return "" }
    var left = Self.entryLimit
    let lost: Markup =
      heap.lostCount == 0
      ? "Nothing is leaked."
      : """
      \(Quantity.count(heap.lostCount, "object")) of the program's own, \(Quantity.bytes(heap.lostBytes)), are leaked: \
      nothing reaches them.
      """
    return """
      <section id="kept" aria-labelledby="kept-title"><h2 id="kept-title">Who keeps what</h2>
      <p class="quiet">\
      \(Quantity.count(heap.reachableCount, "block")) of memory, \(Quantity.bytes(heap.reachableBytes)), can be \
      reached at exit; each size is what would be freed if that entry went away. \(lost)</p>
      <ul class="tree">\(heap.kept.map { entry($0, of: heap.reachableBytes, &left) }.joined())</ul>
      </section>

      """
  }

  private func entry(_ kept: Report.Heap.Kept, of total: Int, _ left: inout Int) -> Markup {
    guard left > 0 else { return "" }
    left -= 1
    let share = total > 0 ? kept.retainedBytes * 100 / total : 0
    let count: Markup = kept.count > 1 ? "\(Quantity.number(kept.count)) × " : ""
    let root: Markup =
      kept.root.map { root in
        "<span class=\"tag\">\(root)</span> \(kept.rootName.map { "<code>\(Markup.name($0))</code> " as Markup } ?? "")"
      } ?? ""
    let name: Markup = kept.class.isEmpty ? "memory" : "<code>\(Markup.name(kept.class))</code>"
    let size: Markup =
      "\(Quantity.bytes(kept.retainedBytes)), \(share) %, \(Quantity.count(kept.retainedCount, "block"))"
    let line: Markup = "\(root)\(count)\(name) <span class=\"place\">\(size)</span>"
    if kept.children.isEmpty { return "<li>\(line)</li>\n" }
    var below: Markup = ""
    for child in kept.children { below += entry(child, of: total, &left) }
    return "<li><details><summary>\(line)</summary><ul>\(below)</ul></details></li>\n"
  }
}
