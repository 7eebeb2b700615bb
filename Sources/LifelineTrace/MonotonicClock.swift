import Glibc

/// The system's monotonic clock (`CLOCK_MONOTONIC`), for limits and durations.
public enum MonotonicClock {
  public static var nanoseconds: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  public static var seconds: Double { Double(nanoseconds) / 1e9 }
}
