/// One backtrace of a finding: the program's own frames with their source, runs of library frames folded.
struct BacktraceColumn {
  let backtrace: Report.Backtrace
  let sources: SourceFileTable?

  var markup: Markup {
    let heading: Markup = """
      <section class="backtrace \(Self.tone(backtrace.role))"><h4>\(Self.title(backtrace.role))</h4>
      <p class="where"><span>event \(backtrace.event)</span><span>\(backtrace.place)</span></p>

      """
    return "\(heading)\(BacktraceFrames(backtrace: backtrace, sources: sources).markup)</section>\n"
  }

  static func title(_ role: String) -> String {
    switch role {
    case "access": "The access"
    case "deallocation": "Deallocation"
    case "final-release": "Final release"
    case "last-owner-release": "The last owner releases it"
    case "allocation": "Allocation"
    case "hold": "The hold that kept it"
    case "retain": "Retain"
    case "release": "Release"
    default: role
    }
  }

  private static func tone(_ role: String) -> Markup {
    switch role {
    case "access": "fault"
    case "last-owner-release", "final-release", "deallocation": "end"
    case "hold": "held"
    default: "plain"
    }
  }
}
