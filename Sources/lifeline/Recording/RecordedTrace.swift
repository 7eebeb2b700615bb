import Glibc
import LifelineReporting
import LifelineTrace

/// The message about a trace once it is recorded.
struct RecordedTrace {
  let path: String

  /// Says what it contains, and what to do next.
  func summarize() {
    do {
      var status = stat()
      stat(path, &status)
      let trace = try Trace(path: path)
      let size = "(\((status.st_blocks * 512 + 500) / 1000) kB)"
      Console.log(
        "\(try Self.contents(of: trace)) in \(name) \(size); next: \(ShellText(["lifeline", "report", name]).text)")
    } catch {
      Console.log("\(error)")
    }
  }

  /// "37 events of 3 objects"; for a long trace only the events, because counting objects would take too long.
  private static func contents(of trace: Trace) throws -> String {
    guard trace.completedEvents < 5_000_000 else { return "\(trace.completedEvents) events" }
    let reader = trace.events()
    var event = Event()
    var objects: UInt64 = 0
    while try reader.next(&event) { if event.kind == .allocate { objects += 1 } }
    var count = reader.sequence
    if let older = trace.baseLine {
      // The base line's own events are of some of the objects before it.
      count -= min(count, older.eventCounts.reduce(0, +))
      objects -= min(objects, older.eventCounts[Int(EventKind.allocate.rawValue)])
      objects += older.allocated.values.reduce(0, +)
    }
    let events = "\(count) \(count == 1 ? "event" : "events")"
    let new = trace.recording.age == nil ? "" : "new "
    return "\(events) of \(objects) \(new)\(objects == 1 ? "object" : "objects")"
  }

  /// Nil if the trace cannot be opened.
  var process: Int? { (try? Trace(path: path)).map { Int($0.recording.process) } }

  /// The path relative to the working directory, if it is inside.
  var name: String {
    let prefix = WorkingFolder.path + "/"
    return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
  }
}
