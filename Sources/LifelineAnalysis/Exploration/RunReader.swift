import LifelineTrace

/// Reads one run of an exploration: what was held, which places race, and whether the run needs a diagnosis.
public struct RunReader {
  /// The points at which a thread was held and then released, in order, without those still held at the end.
  public private(set) var released: [SchedulePoint] = []
  /// Points at which a thread was held.
  public private(set) var held: [SchedulePoint] = []
  /// Class of the first object with a problem, "" if it has none; nil if nothing looks wrong. Problems are what the
  /// probe reported, and a retain on one thread while another runs the object's deinit.
  public private(set) var wrongClass: String?

  private struct Life {
    var classID = 0
    var points: [SchedulePoint] = []
    var end: UInt32?
    var threads: Set<UInt32> = []
  }

  /// Where threads met: a lock, a queue.
  private struct MeetingPlace {
    var points: [SchedulePoint] = []
    var threads: Set<UInt32> = []
  }

  private let records: [Int: ClassRecord]
  private var lives: [UInt64: Life] = [:]
  private var classIDs: [UInt64: Int] = [:]
  /// The allocation that a thread is about to make.
  private var expected: [UInt32: SchedulePoint] = [:]
  private var found: [UInt32: (site: RacingSite, visits: SiteVisits)] = [:]
  private var meetings: [UInt64: MeetingPlace] = [:]

  /// - Throws: `TraceError` if the trace cannot be read.
  public init(_ trace: Trace) throws {
    records = trace.tables.classes
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) { read(event) }
    for life in lives.values { close(life) }
    for meeting in meetings.values {
      add(meeting.points.map { ($0, meeting.threads.count > 1 ? .touched : .none) }, classID: 0)
    }
    (lives, meetings) = ([:], [:])
  }

  /// The places that were reached, sorted by how much their objects are shared, then classes in the source, then uses.
  public var sites: [RacingSite] {
    func rank(_ site: RacingSite) -> (Int, Int, UInt64, UInt32, UInt32) {
      (site.sharing.rawValue, site.isClass ? 0 : 1, site.side.rawValue, site.visits.min() ?? 0, site.key)
    }
    let sites = found.values.map { entry in
      var site = entry.site
      site.visits = entry.visits.choices
      return site
    }
    return sites.sorted { rank($0) < rank($1) }
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
        add([(point, .none)], classID: 0)
      } else if point.side.isMeeting {
        meetings[point.object, default: MeetingPlace()].points.append(point)
        meetings[point.object]!.threads.insert(point.thread)
      } else {
        lives[point.object]?.points.append(point)
      }
    }
  }

  private mutating func close(_ life: Life) {
    add(
      life.points.map { point in
        let isElsewhere = life.end != nil && life.end != point.thread
        return (point, isElsewhere ? .endedElsewhere : life.threads.count > 1 ? .touched : .none)
      }, classID: life.classID)
  }

  /// Adds what happened to one object. For a place, only the visits for the most shared objects count.
  private mutating func add(_ points: [(SchedulePoint, RacingSite.Sharing)], classID: Int) {
    var visits: [UInt32: (point: SchedulePoint, sharing: RacingSite.Sharing, visits: [UInt32])] = [:]
    for (point, sharing) in points {
      let key = point.hold.key
      if let best = visits[key]?.sharing, best <= sharing {
        if best == sharing { visits[key]!.visits.append(point.hold.visit) }
      } else {
        visits[key] = (point, sharing, [point.hold.visit])
      }
    }
    for (key, own) in visits {
      if found[key].map({ own.sharing < $0.site.sharing }) ?? true {
        let site = RacingSite(
          key: key, side: own.point.side, classID: classID, isClass: records[classID]?.sort == .object, visits: [],
          sharing: own.sharing)
        found[key] = (site, SiteVisits())
      }
      if found[key]!.site.sharing == own.sharing { found[key]!.visits.add(own.visits) }
    }
  }
}
