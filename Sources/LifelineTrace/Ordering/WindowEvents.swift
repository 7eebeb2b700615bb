/// The events of a window's records, and their kept backtraces; its owner must deallocate it.
struct WindowEvents {
  let events: UnsafeMutablePointer<Event>
  let backtraces: UnsafeMutablePointer<BacktraceID>
  private let carriedEvents: UnsafeMutablePointer<Event>
  private let carriedBacktraces: UnsafeMutablePointer<BacktraceID>

  init(capacity: Int) {
    // One more for the event that is being decoded.
    events = .allocate(capacity: capacity + 1)
    events.initialize(repeating: Event(), count: capacity + 1)
    carriedEvents = .allocate(capacity: capacity)
    backtraces = .allocate(capacity: capacity)
    carriedBacktraces = .allocate(capacity: capacity)
  }

  func deallocate() {
    events.deallocate()
    carriedEvents.deallocate()
    backtraces.deallocate()
    carriedBacktraces.deallocate()
  }

  /// Puts the event at `index` aside, as number `place` of the next window.
  func carry(_ index: Int, to place: Int) {
    carriedEvents[place] = events[index]
    carriedBacktraces[place] = backtraces[index]
  }

  /// Begins the next window with the events that were put aside.
  func beginWindow(_ carried: Int) {
    events.update(from: carriedEvents, count: carried)
    backtraces.update(from: carriedBacktraces, count: carried)
  }
}
