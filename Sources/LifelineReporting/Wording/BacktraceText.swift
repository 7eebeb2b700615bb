/// Renders a backtrace: the program's own frames, runs of library frames folded into one line.
struct BacktraceText {
  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  /// At most `limit` lines, and one that says how many frames more there are.
  func lines(_ backtrace: Report.Backtrace, limit: Int) -> [String] {
    var lines: [String] = []
    var index = 0
    let frames = backtrace.frames
    while index < frames.count, lines.count < limit {
      let frame = frames[index]
      if frame.isSystem {
        var end = index
        while end < frames.count, frames[end].isSystem { end += 1 }
        // The library function that the program called says most: it is the last of the run.
        let last = frames[end - 1]
        let more = end - index - 1
        let image = last.image.isEmpty ? "" : " [\(last.image.safe)]"
        lines.append(style.dim("\(last.function.safe)\(image)\(more > 0 ? " and \(more) more inside it" : "")"))
        index = end
      } else {
        let offset = "\(frame.image)+0x\(String(frame.offset, radix: 16))"
        // A function without a name is called by its place.
        let place = frame.location ?? (offset == frame.function ? nil : offset)
        let inlined = frame.isInlined ? style.dim(" (inlined)") : ""
        let asynchronous = frame.isAsync == true ? style.dim(" (async)") : ""
        lines.append("\(frame.function.safe)\(inlined)\(asynchronous)\(place.map { "  " + style.dim($0.safe) } ?? "")")
        index += 1
      }
    }
    if index < frames.count { lines.append(style.dim("… \(Quantity.count(frames.count - index, "frame")) more")) }
    if frames.isEmpty { lines.append(style.dim("(no frame was recorded)")) }
    if backtrace.lacksAsyncCallers == true {
      lines.append(style.dim("(its asynchronous callers are not known)"))
    } else if backtrace.extent != "complete" {
      lines.append(style.dim("(\(backtrace.extent) backtrace)"))
    }
    return lines
  }
}
