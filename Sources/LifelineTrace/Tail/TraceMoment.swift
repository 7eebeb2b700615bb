import CLifelineFormat
import Glibc

/// A moment of a recording, from which ages are counted.
public struct TraceMoment: Sendable, Equatable {
  /// The event clock.
  public let clock: UInt64
  public let nanosecondsPerTick: Double

  public init(clock: UInt64, nanosecondsPerTick: Double) {
    self.clock = clock
    self.nanosecondsPerTick = nanosecondsPerTick
  }

  /// Nanoseconds since an earlier reading of the event clock; 0 for a later one.
  public func age(of earlier: UInt64) -> UInt64 {
    guard clock > earlier else { return 0 }
    return UInt64(min(Double(clock - earlier) * nanosecondsPerTick, 1e18))
  }
}

extension TraceTail {
  /// Now, for a process running on this machine; otherwise the last moment of its recording, where `last` is the latest
  /// event.
  public func moment(isRunning: Bool, last: UInt64) -> TraceMoment {
    guard isRunning else {
      return TraceMoment(clock: max(header.end_clock, last), nanosecondsPerTick: recording.nanosecondsPerTick)
    }
    let (now, nanoseconds) = (lifeline_clock_now(), MonotonicClock.nanoseconds)
    // The header's own pair is updated with each chunk, which a quiet process begins rarely.
    guard now > header.start_clock, nanoseconds > header.start_monotonic else {
      return TraceMoment(clock: max(header.end_clock, last), nanosecondsPerTick: recording.nanosecondsPerTick)
    }
    let rate = Double(nanoseconds - header.start_monotonic) / Double(now - header.start_clock)
    return TraceMoment(clock: now, nanosecondsPerTick: rate)
  }

  /// Nanoseconds from the start of the recording to a moment.
  public func elapsed(at moment: TraceMoment) -> UInt64 { moment.age(of: header.start_clock) }
}
