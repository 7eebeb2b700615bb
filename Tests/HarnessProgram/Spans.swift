import Lifeline

enum Spans {
  static func run() {
    Timeline.mark("begin")
    var kept: [Target] = []
    let result = Timeline.phase("load") { () -> Int in
      _ = Target("temporary")
      return 7
    }
    print(result)
    Timeline.scope("fill", report: { print($0) }) {
      _ = Target("temporary")
      kept.append(Target("kept"))
      kept.append(Target("kept too"))
    }
    Timeline.scope("clean", report: { print($0) }) { _ = Target("temporary") }
    Timeline.scope("said") { kept.append(Target("third")) }
    print(kept.count)
  }
}
