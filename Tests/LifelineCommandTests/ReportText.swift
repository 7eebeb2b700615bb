import Foundation

/// A text report without what changes from run to run, or from one toolchain to the next: such numbers become letters.
enum ReportText {
  private static let numbers = [
    ("process [0-9]+", "process P"), ("0x[0-9a-f]+", "0xX"), ("[0-9][0-9,]*(\\.[0-9]+)? (ns|µs|ms|s)\\b", "T"),
    (" +T ", " T "),
    ("balanced by +time", "balanced by time"), ("to +time", "to time"), ("[0-9]+ times as much", "N times as much"),
  ]

  private static let leaks = [
    ("(?ms)^error: leak   .*?(?=^(?:error|warning): |^Classes|^Notes)", ""),
    ("(?m)^Verdict: .*$", "Verdict: V"), (", leaked, allocated at", ", allocated at"),
  ]

  /// How events of several threads are numbered is the scheduler's choice, and so are threads and a hold's retains.
  private static let ofThreads = [
    ("[0-9,]+ events? of ", "E events of "), ("on [0-9]+ threads", "on several threads"), ("event [0-9]+", "event E"),
    ("[(][0-9]+ events?[)]", "(E events)"), ("by [0-9]+ events?", "by E events"),
    ("[0-9]+ events? late", "E events late"),
    ("[0-9]+ events? [(]", "E events ("), ("thread [0-9]+( [(][^)]*[)])?(, task [0-9]+)?", "thread N"),
    ("(?m)^(  [^ ].*?) +([0-9,]+) +([0-9,]+) +([0-9,]+) +[0-9,]+ +[0-9,]+( +[0-9]+)?$", "$1  $2  $3  $4  R  R"),
    // How a thread of a library got to its work, too.
    ("(?m)^( +)[^ ].* \\[lib[^ ]*\\](?: and [0-9]+ more inside it)?$(\n +… [0-9]+ frames? more$)?", "$1(library)"),
    ("(\n +[(]library[)])+", "$1"), ("… [0-9]+ frames? more", "…"),
    // Of several references, which one is the last.
    ("(?m)^  hold, event E, .*$(\n    .*$)+", "  hold, event E"),
    ("(?m)^  class +allocated .*$", "  class  allocated  live at exit  peak  retains  releases"),
  ]

  static func normalized(_ text: String) -> String {
    let isOfThreads = text.range(of: "on [0-9]+ threads;", options: .regularExpression) != nil
    return replaced(text, numbers + (isOfThreads ? ofThreads : []))
  }

  /// A normalised text as if no leak had been looked for.
  static func withoutLeaks(_ text: String) -> String { replaced(text, leaks) }

  /// A normalised text as if nobody knew since when the last holder held.
  static func withoutBeginning(_ text: String) -> String {
    replaced(text, [(" had held it since event E and", ""), ("  hold, event E\n\n", "")])
  }

  private static func replaced(_ text: String, _ rules: [(String, String)]) -> String {
    rules.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression) }
  }
}
