import CLifelineHarness

/// The recording of this process: started here or by a preloaded probe, marked and divided by the program.
///
/// While nothing is recorded every call costs a load and a branch.
public enum Timeline {
  /// Whether events are being recorded.
  @inlinable public static var isRecording: Bool { _slowPath(lifeline_the_switch != 0) }

  /// Starts the recorder in this process; does nothing when it runs already, as it does under `lifeline record`.
  ///
  /// Objects that are older than this call have no class and no history in the trace, so call it first. Other threads
  /// may be running.
  ///
  /// - Throws: `TimelineError` when the probe's library is not found or cannot record this process.
  public static func start(_ options: Options = Options()) throws {
    if lifeline_harness_update() { return }
    if !lifeline_harness_attach() { try ProbeLibrary().load() }
    let problem = options.text.withCString { lifeline_harness_recorder().pointee.start($0) }
    if let problem { throw TimelineError(String(cString: problem)) }
    lifeline_harness_update()
  }

  /// Path of this process's trace; nil when it has none.
  public static var tracePath: String? {
    guard lifeline_harness_attach(), let path = lifeline_harness_recorder().pointee.trace_path() else { return nil }
    return String(cString: path)
  }

  /// Runs a body whose own doings on this thread are left out of the recording: one that reads the trace, say.
  public static func unrecorded<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    guard isRecording else { return try body() }
    lifeline_harness_recorder().pointee.pause(true)
    defer { lifeline_harness_recorder().pointee.pause(false) }
    return try body()
  }

  /// Puts a mark into the trace, at this moment of the calling thread; 8191 bytes of the text are kept.
  ///
  ///     Timeline.mark("the list is on screen")
  @inlinable public static func mark(_ text: @autoclosure () -> String) {
    if isRecording { lifeline_harness_recorder().pointee.mark(text()) }
  }
}
