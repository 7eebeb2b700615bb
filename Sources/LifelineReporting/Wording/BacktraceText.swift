/// Renders a backtrace: the program's own frames, with runs of library frames and of a macro's folded into one line.
struct BacktraceText {
  private let style: TextStyle

  init(_ style: TextStyle) { self.style = style }

  /// At most `limit` lines, and one with the number of remaining frames.
  func lines(_ backtrace: Report.Backtrace, limit: Int) -> [String] {
    var lines: [String] = []
    var index = 0
    let frames = backtrace.frames
    while index < frames.count, lines.count < limit {
      let frame = frames[index]
      if Self.isFolded(frame) {
        let run = frames[index...].prefix(while: Self.isFolded)
        index = run.endIndex
        // The library function that the program called says most: it is the last of the run.
        guard let last = run.last(where: \.isSystem) else {
          lines.append(style.dim("(code from a macro)"))
          continue
        }
        let more = run.count - 1
        let image = last.image.isEmpty ? "" : " [\(last.image.safe)]"
        lines.append(style.dim("\(last.function.safe)\(image)\(more > 0 ? " and \(more) more inside it" : "")"))
      } else {
        let offset = "\(frame.image)+0x\(String(frame.offset, radix: 16))"
        // A function without a name is shown by its place.
        let place = frame.statedLocation ?? (offset == frame.function ? nil : offset)
        let inlined = frame.isInlined ? style.dim(" (inlined)") : ""
        let asynchronous = frame.isAsync == true ? style.dim(" (async)") : ""
        lines.append("\(frame.function.safe)\(inlined)\(asynchronous)\(place.map { "  " + style.dim($0.safe) } ?? "")")
        index += 1
      }
    }
    if index < frames.count { lines.append(style.dim("… \(Quantity.count(frames.count - index, "frame")) more")) }
    if frames.isEmpty { lines.append(style.dim("(no frames recorded)")) }
    if backtrace.lacksAsyncCallers == true {
      lines.append(style.dim("(its asynchronous callers are unknown)"))
    } else if backtrace.extent != "complete" {
      lines.append(style.dim("(\(backtrace.extent) backtrace)"))
    }
    return lines
  }

  /// Frames from macros are not useful: their names are long, and their files do not exist.
  private static func isFolded(_ frame: Report.Frame) -> Bool { frame.isSystem || frame.isMacroExpansion }
}
