import LifelineTrace

/// Everything that one pass over a trace shows about its objects.
public struct LifetimeSummary {
  public let tracker: LifetimeTracker
  public let events: UInt64
  /// Sentences about damage in the events.
  public let problems: [String]

  /// Reads the whole trace; `progress` gets the number of events from time to time.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public init(_ trace: Trace, progress: ((UInt64) -> Void)? = nil) throws {
    let reader = trace.batches()
    let tracker = LifetimeTracker(trace, span: trace.recording.clockSpan)
    // The first million may take a second.
    var due: UInt64 = 1 << 16
    while let batch = try reader.next() {
      tracker.take(batch)
      guard reader.sequence >= due else { continue }
      progress?(reader.sequence)
      due += due < 1 << 20 ? due : 1 << 20
    }
    tracker.keep(reader.takeBacktraces())
    self.tracker = tracker
    events = reader.sequence
    problems = reader.problems
  }

  /// Objects that are live at the end, by class and allocation site, most objects first.
  public var liveGroups: [LiveGroup] {
    var groups: [LiveGroup.Key: LiveGroup] = [:]
    let classes = tracker.classes
    for object in tracker.liveObjects {
      let key = LiveGroup.Key(classIndex: Int(object.classIndex), allocation: object.allocation)
      groups[
        key,
        default: LiveGroup(
          className: classes[key.classIndex].name, allocation: key.allocation, first: tracker.id(of: object))
      ]
      .add(object)
    }
    return groups.values.sorted {
      ($1.count, $0.className, $0.first.number) < ($0.count, $1.className, $1.first.number)
    }
  }
}
