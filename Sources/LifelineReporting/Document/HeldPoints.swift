import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Names the points of a run at which threads were held.
public struct HeldPoints {
  /// In the order of holding.
  public private(set) var holds: [Report.Exploration.Hold] = []

  private let trace: Trace
  private let names: Names
  private var objects: [UInt64: Report.Object] = [:]
  private var numbers: [String: Int] = [:]
  /// Where the deinit of the object at an address began.
  private var ends: [UInt64: Report.Exploration.Place] = [:]
  /// Freed objects, by address.
  private var freed: Set<UInt64> = []
  /// Indices of the ongoing holds, by thread.
  private var open: [UInt32: Int] = [:]
  private var backtraces = BacktraceTable()

  /// - Throws: `TraceError` if the trace cannot be read.
  public init(_ trace: Trace, names: Names) throws {
    self.trace = trace
    self.names = names
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) { read(event, reader) }
  }

  private mutating func read(_ event: Event, _ reader: EventReader) {
    if event.kind == .allocate {
      let name = trace.tables.classes[Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)]?.name ?? ""
      numbers[name, default: 0] += 1
      let id = ObjectID(className: name, number: numbers[name]!, address: event.object)
      objects[event.object] = Report.Object(id: id.description, class: name)
      ends[event.object] = nil
      freed.remove(event.object)
    } else if event.kind == .free {
      freed.insert(event.object)
    } else if event.strongChange < 0, event.count == 0 {
      ends[event.object] = place(event, reader)
    }
    guard let point = SchedulePoint(event) else { return }
    switch point.outcome {
    case .passed: break
    case .held:
      let place = point.side.isOfCode ? place(ofCode: point) : place(event, reader)
      open[point.thread] = holds.count
      holds.append(
        Report.Exploration.Hold(
          thread: place.thread, before: Self.name(point.side),
          object: point.side == .allocation || point.side.isMeeting ? nil : objects[event.object],
          function: place.function, location: place.location, visit: Int(point.hold.visit), microseconds: nil,
          isOvertaken: false, end: nil,
          event: event.sequence, endEvent: nil))
    case .overtaken, .wentOn:
      guard let index = open.removeValue(forKey: point.thread) else { break }
      holds[index].microseconds = point.microseconds
      holds[index].isOvertaken = point.outcome == .overtaken
      holds[index].endEvent = event.sequence
      if let end = ends[point.object], end.event > holds[index].event, end.thread != holds[index].thread {
        holds[index].end = end
        holds[index].isFreed = freed.contains(point.object)
      }
    }
  }

  private mutating func place(_ event: Event, _ reader: EventReader) -> Report.Exploration.Place {
    let id = reader.intern(into: &backtraces)
    let backtrace = names.backtrace(backtraces.entries(id), role: "hold", thread: event.thread, event: event.sequence)
    return Report.Exploration.Place(
      thread: backtrace.thread, function: (backtrace.locatedFrame ?? backtrace.responsible)?.function ?? "",
      location: backtrace.location,
      event: event.sequence)
  }

  /// The start of the code that the thread is about to run.
  private func place(ofCode point: SchedulePoint) -> Report.Exploration.Place {
    let frame = names.frame(ofCode: point.object), forwarder = "partial apply for "
    let name = frame?.function ?? ""
    return Report.Exploration.Place(
      thread: names.name(thread: point.thread),
      function: name.hasPrefix(forwarder) ? String(name.dropFirst(forwarder.count)) : name, location: frame?.location,
      event: point.event)
  }

  private static func name(_ side: SchedulePoint.Side) -> String {
    switch side {
    case .use: "use"
    case .release: "release"
    case .deinitialization: "deinit"
    case .allocation: "allocation"
    case .lock: "lock"
    case .unlock: "unlock"
    case .wait: "wait"
    case .signal: "signal"
    case .enqueue: "enqueue"
    case .run: "run"
    case .switch: "switch"
    }
  }
}
