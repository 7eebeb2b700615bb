import Foundation

/// A text report without what changes from run to run or between toolchains; such numbers become letters.
enum ReportText {
  private static let numbers = [
    ("process [0-9]+", "process P"), ("0x[0-9a-f]+", "0xX"), ("[0-9][0-9,]*(\\.[0-9]+)? (ns|µs|ms|s)\\b", "T"),
    // Whether two events have times of their own depends on the threads and the recorder's buffers.
    ("(?<= )–(?= |$)", "T"), ("(outlived its last owner by [0-9,]+ events?)(?=\n|$)", "$1 (T)"),
    ("([0-9,]+ events?) after it", "T ($1) after it"),
    (" +T ", " T "),
    ("balanced by +time", "balanced by time"), ("to +time", "to time"), ("[0-9]+ times as much", "N times as much"),
  ]

  private static let leaks = [
    ("(?ms)^error: leak   .*?(?=^(?:error|warning): |^Classes|^Notes)", ""),
    ("(?m)^Verdict: .*$", "Verdict: V"), (", leaked, allocated at", ", allocated at"),
  ]

  /// The scheduler determines how events of several threads are numbered, and so also threads and a hold's retains.
  private static let ofThreads = [
    ("[0-9,]+ events? of ", "E events of "), ("on [0-9]+ threads", "on several threads"), ("event [0-9]+", "event E"),
    ("[(][0-9]+ events?[)]", "(E events)"), ("by [0-9]+ events?", "by E events"),
    ("[0-9]+ events? late", "E events late"),
    ("[0-9]+ events? [(]", "E events ("), ("thread [0-9]+( [(][^)]*[)])?(, task [0-9]+)?", "thread N"),
    ("(?m)^(  [^ ].*?) +([0-9,]+) +([0-9,]+) +([0-9,]+) +[0-9,]+ +[0-9,]+( +[0-9]+)?$", "$1  $2  $3  $4  R  R"),
    // It also determines how a library's thread got to its work.
    ("(?m)^( +)[^ ].* \\[lib[^ ]*\\](?: and [0-9]+ more inside it)?$(\n +… [0-9]+ frames? more$)?", "$1(library)"),
    ("(\n +[(]library[)])+", "$1"), ("… [0-9]+ frames? more", "…"),
    // Which of several references is the last.
    ("(?m)^  hold, event E, .*$(\n    .*$)+", "  hold, event E"),
    ("(?m)^  class +allocated .*$", "  class  allocated  live at exit  peak  retains  releases"),
  ]

  static func normalized(_ text: String) -> String {
    let isOfThreads = text.range(of: "on [0-9]+ threads;", options: .regularExpression) != nil
    return replaced(text, numbers + (isOfThreads ? ofThreads : []))
  }

  /// A normalized text as if leaks had not been searched for.
  static func withoutLeaks(_ text: String) -> String { replaced(text, leaks) }

  /// A normalized text as if it were unknown since when the last holder held.
  static func withoutBeginning(_ text: String) -> String {
    replaced(text, [(" had held it since event E and", ""), ("  hold, event E[^\n]*\n(    [^\n]*\n)*\n", "")])
  }

  private static func replaced(_ text: String, _ rules: [(String, String)]) -> String {
    rules.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression) }
  }
}
