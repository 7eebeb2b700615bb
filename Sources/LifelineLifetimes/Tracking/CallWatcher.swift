import LifelineTrace

/// Tracks since when a thread has been inside each of some calls.
struct CallWatcher {
  private struct Watched {
    let words: [UInt64]
    /// The first event inside the current call.
    var start: Moment?
  }

  private var watched: [UInt32: [Watched]] = [:]

  init(_ calls: Set<CallWatch>) {
    // Longest first, because an event is attributed to the innermost of nested calls.
    for call in calls.sorted(by: { $0.words.count > $1.words.count }) {
      watched[call.thread, default: []].append(Watched(words: call.words))
    }
  }

  var isEmpty: Bool { watched.isEmpty }

  /// Takes the event that `reader` returned last.
  mutating func take(_ event: Event, from reader: EventReader) {
    guard let index = watched.index(forKey: event.thread) else { return }
    for number in watched.values[index].indices {
      let isInside = reader.isInside(call: watched.values[index][number].words)
      if !isInside {
        watched.values[index][number].start = nil
      } else if watched.values[index][number].start == nil {
        watched.values[index][number].start = Moment(sequence: event.sequence, clock: event.clock)
      }
    }
  }

  /// Since when the thread of an event has been inside its innermost watched call.
  func start(_ event: Event) -> Moment? { watched[event.thread]?.lazy.compactMap(\.start).first }
}
