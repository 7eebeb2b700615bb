import Glibc
import Lifeline

/// The program that the tests of the Lifeline library run; the first argument selects what it does.
@main
struct Main {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let what = arguments.count > 1 ? arguments[1] : ""
    if let output = getenv("HARNESS_TRACE").map({ String(cString: $0) }) {
      var options = Timeline.Options()
      options.output = output
      do { try Timeline.start(options) } catch {
        print(error)
        exit(3)
      }
    }
    switch what {
    case "compare": Comparison.run(sequences: Int(arguments[2])!, threads: 4)
    case "references": References.run()
    case "unowned-plain": References.readDeadPlain()
    case "unowned-tracked": References.readDeadTracked()
    case "lost": References.useLost(arguments[2])
    case "start-busy": try BusyStart.run(output: arguments[2])
    case "restart": try Restarts.run(output: arguments[2])
    case "restart-limited": try Restarts.runAfterLimit(output: arguments[2])
    case "restart-busy": try Restarts.runBusy(output: arguments[2])
    case "initialized": print(Frame(Target("framed")).greet())
    case "lost-property": References.useLostProperty()
    case "shapes": Shapes.run()
    case "kinds": await Kinds.run()
    case "notifications": Notifications.run()
    case "spans": Spans.run()
    case "watch": References.watchMany()
    case "reuse": References.reuseAddress()
    case "start": print(Timeline.isRecording, Timeline.tracePath ?? "no trace")
    default:
      print("unknown: \(what)")
      exit(64)
    }
  }
}
