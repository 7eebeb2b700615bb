import LifelineTrace

/// Reads one run of an exploration: what was held, which places race, and whether the run deserves a diagnosis.
public struct RunReader {
  /// The points at which a thread was held and let go again, in their order; one that was still held at the end is not
  /// among them.
  public private(set) var released: [SchedulePoint] = []
  /// Points where a thread was held from.
  public private(set) var held: [SchedulePoint] = []
  /// Class of the object with which the first wrong thing was done, "" when it has none; nil when nothing looks wrong.
  /// Wrong is what the probe reported, and a retain on one thread while another one runs the object's deinit.
  public private(set) var wrongClass: String?

  private struct Life {
    var classID = 0
    var points: [SchedulePoint] = []
    var end: UInt32?
    var threads: Set<UInt32> = []
  }

  /// What threads met at: a lock, a queue.
  private struct MeetingPlace {
    var points: [SchedulePoint] = []
    var threads: Set<UInt32> = []
  }

  private let records: [Int: ClassRecord]
  private var lives: [UInt64: Life] = [:]
  private var classIDs: [UInt64: Int] = [:]
  /// The allocation that a thread is about to make.
  private var expected: [UInt32: SchedulePoint] = [:]
  private var found: [UInt32: RacingSite] = [:]
  private var meetings: [UInt64: MeetingPlace] = [:]

  /// - Throws: `TraceError` when the trace cannot be read.
  public init(_ trace: Trace) throws {
    records = trace.tables.classes
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) { read(event) }
    for life in lives.values { close(life) }
    for meeting in meetings.values {
      for point in meeting.points { add(point, classID: 0, meeting.threads.count > 1 ? .touched : .none) }
    }
    (lives, meetings) = ([:], [:])
  }

  /// The places that were reached: first those whose objects are shared most, of classes of the source, before a use.
  public var sites: [RacingSite] {
    func rank(_ site: RacingSite) -> (Int, Int, UInt64, UInt32, UInt32) {
      (site.sharing.rawValue, site.isClass ? 0 : 1, site.side.rawValue, site.visits.lowerBound, site.key)
    }
    return found.values.sorted { rank($0) < rank($1) }
  }

  private mutating func read(_ event: Event) {
    switch event.kind {
    case .useAfterFree, .overRelease, .resurrection, .unownedAfterDeinit, .stray: noteWrong(event)
    case .point: if let point = SchedulePoint(event) { read(point) }
    case .allocate:
      if let life = lives.removeValue(forKey: event.object) { close(life) }
      let classID = Int(truncatingIfNeeded: event.argument0)
      classIDs[event.object] = classID
      lives[event.object] = Life(
        classID: classID, points: expected.removeValue(forKey: event.thread).map { [$0] } ?? [], threads: [event.thread]
      )
    case .free:
      if let life = lives.removeValue(forKey: event.object) { close(life) }
    default:
      guard lives[event.object] != nil else { return }
      lives[event.object]!.threads.insert(event.thread)
      if let end = lives[event.object]!.end, end != event.thread, event.strongChange > 0 { noteWrong(event) }
      if event.strongChange < 0, event.count == 0 { lives[event.object]!.end = event.thread }
    }
  }

  private mutating func noteWrong(_ event: Event) {
    if wrongClass == nil { wrongClass = classIDs[event.object].flatMap { records[$0]?.name } ?? "" }
  }

  private mutating func read(_ point: SchedulePoint) {
    switch point.outcome {
    case .held: held.append(point)
    case .overtaken, .wentOn: released.append(point)
    case .passed:
      if point.side == .allocation {
        expected[point.thread] = point
      } else if point.side.isOfCode || point.isOfTask {
        add(point, classID: 0, .none)
      } else if point.side.isMeeting {
        meetings[point.object, default: MeetingPlace()].points.append(point)
        meetings[point.object]!.threads.insert(point.thread)
      } else {
        lives[point.object]?.points.append(point)
      }
    }
  }

  private mutating func close(_ life: Life) {
    for point in life.points {
      let isElsewhere = life.end != nil && life.end != point.thread
      add(point, classID: life.classID, isElsewhere ? .endedElsewhere : life.threads.count > 1 ? .touched : .none)
    }
  }

  private mutating func add(_ point: SchedulePoint, classID: Int, _ sharing: RacingSite.Sharing) {
    let key = point.hold.key, visit = point.hold.visit
    guard var site = found[key], site.sharing <= sharing else {
      let visits = found[key]?.visits ?? visit...visit
      found[key] = RacingSite(
        key: key, side: point.side, classID: classID, isClass: records[classID]?.sort == .object,
        visits: min(visits.lowerBound, visit)...max(visits.upperBound, visit), sharing: sharing)
      return
    }
    site.visits = min(site.visits.lowerBound, visit)...max(site.visits.upperBound, visit)
    found[key] = site
  }
}
