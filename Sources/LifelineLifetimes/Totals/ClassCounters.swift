/// The counters of one class while its events pass by; `ClassTotals` is the result.
struct ClassCounters {
  var allocated = 0
  /// Objects from before the recording.
  var older = 0
  var freed = 0
  var deiniting = 0
  var kept = 0
  var peakLive = 0
  var retains = 0
  var releases = 0
  var gaps = 0

  var liveAtExit: Int { allocated + older - freed - kept - deiniting }
}
