import Foundation
import LifelineTestSupport
import LifelineTrace

/// One run of HarnessProgram: unrecorded, under the preloaded probe, or starting the recorder itself.
struct HarnessRun {
  enum Recording { case none, preloaded, started }

  let result: CommandResult
  /// Nil if there is none.
  let trace: Trace?

  var lines: [String] { result.output.split(separator: "\n").map(String.init) }

  init(_ arguments: [String], _ recording: Recording = .none, environment extra: [String: String] = [:]) throws {
    (result, trace) = try withTemporaryFolder { folder in
      let file = "\(folder)/run.lifeline"
      var environment = ["SWIFT_BACKTRACE": "enable=no"].merging(extra) { $1 }
      switch recording {
      case .none: break
      case .started: environment["HARNESS_TRACE"] = file
      case .preloaded:
        environment["LD_PRELOAD"] = BuiltPackage.preloadableProbe
        environment["LIFELINE_OPTIONS"] = "output=\(file):zombies=1"
      }
      let program = BuiltPackage.buildFolder.appendingPathComponent("HarnessProgram").path
      let result = try CommandResult.run(program, arguments, environment: environment, folder: folder)
      return (result, FileManager.default.fileExists(atPath: file) ? try Trace(path: file) : nil)
    }
  }

  /// The events recorded by source code, one per line: kind, subject and text.
  func harnessEvents() throws -> [String] {
    guard let trace else { return ["no trace"] }
    let reader = trace.events()
    var event = Event()
    var lines: [String] = []
    var spanNames: [UInt64: String] = [:]
    func text(_ id: UInt64) -> String { trace.tables.strings[Int(id)] ?? "(no text)" }
    while try reader.next(&event) {
      switch event.kind {
      case .reference:
        lines.append("\(event.referenceOperation!) \(event.referenceStrength!.name) \(text(event.argument1))")
      case .span:
        if event.isBegin { spanNames[event.argument1] = text(event.argument2) }
        lines.append("\(event.isBegin ? "begin" : "end") \(event.spanSort!) \(spanNames[event.argument1]!)")
      case .hold:
        lines.append("\(event.isBegin ? "hold" : "let go") \(event.holdRole!) in \(spanNames[event.argument1]!)")
      case .mark: lines.append("mark \(text(event.argument0))")
      default: break
      }
    }
    return lines
  }
}
