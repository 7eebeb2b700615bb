/// The frames of a backtrace as a list, innermost first.
struct BacktraceFrames {
  let backtrace: Report.Backtrace
  let sources: SourceFileTable?

  var markup: Markup {
    guard !backtrace.frames.isEmpty else { return "<p class=\"quiet\">No frames were recorded.</p>" }
    let frames = backtrace.frames.prefix(HTMLFormat.Limits.frames)
    var items: [Markup] = []
    var isSourceShown = false
    var index = 0
    while index < frames.count {
      if frames[index].isSystem {
        let end = frames[index...].firstIndex { !$0.isSystem } ?? frames.count
        items.append(folded(frames[index..<end]))
        index = end
      } else {
        items.append(own(frames[index], showsSource: !isSourceShown))
        isSourceShown = isSourceShown || frames[index].line != nil
        index += 1
      }
    }
    let rest = backtrace.frames.count - frames.count
    if rest > 0 { items.append("<li class=\"quiet\">\(Quantity.count(rest, "frame")) more</li>") }
    if backtrace.lacksAsyncCallers == true {
      items.append("<li class=\"quiet\">Its asynchronous callers are unknown.</li>")
    } else if backtrace.extent != "complete" {
      items.append("<li class=\"quiet\">The backtrace is \(backtrace.extent).</li>")
    }
    return "<ol class=\"frames\">\(items.joined())</ol>"
  }

  /// A frame of the program; the source of the first is open, since that is the line to look at.
  private func own(_ frame: Report.Frame, showsSource: Bool) -> Markup {
    let inlined: Markup = frame.isInlined ? " <span class=\"tag\">inlined</span>" : ""
    let name: Markup = "<code class=\"function\">\(frame.function)</code>\(inlined)"
    let place: Markup = "<span class=\"place\">\(Self.place(frame))</span>"
    guard let source = SourceExcerpt(frame, sources).markup else { return "<li>\(name) \(place)</li>\n" }
    let open: Markup = showsSource ? " open" : ""
    return "<li>\(name)<details class=\"at\"\(open)><summary>\(place)</summary>\(source)</details></li>\n"
  }

  /// A run of library frames under the function that the program called, which is the most informative.
  private func folded(_ frames: ArraySlice<Report.Frame>) -> Markup {
    guard let called = frames.last else { return "" }
    let image: Markup = called.image.isEmpty ? "" : " <span class=\"place\">\(called.image)</span>"
    let head: Markup = "<code class=\"function\">\(called.function)</code>\(image)"
    guard frames.count > 1 else { return "<li class=\"system\">\(head)</li>\n" }
    let items = frames.map { frame -> Markup in
      """
      <li class="system"><code class="function">\(frame.function)</code> \
      <span class="place">\(Self.place(frame))</span></li>
      """
    }
    return """
      <li class="system"><details class="library"><summary>\(head) \
      <span class="tag">\(Quantity.count(frames.count, "frame"))</span></summary>\
      <ol class="frames">\(items.joined())</ol></details></li>

      """
  }

  /// "Master.swift:16", "near Master.swift:16", or the image and the address in its file.
  static func place(_ frame: Report.Frame) -> String {
    if let location = frame.statedLocation { return location }
    return frame.isSystem && frame.offset == 0 ? frame.image : "\(frame.image)+0x\(String(frame.offset, radix: 16))"
  }
}
