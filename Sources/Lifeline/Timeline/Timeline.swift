import CLifelineHarness

/// The recording of this process: started here or by a preloaded probe, marked and divided by the program.
///
/// When nothing is recorded, every call costs a load and a branch.
public enum Timeline {
  /// Whether events are being recorded.
  @inlinable public static var isRecording: Bool { _slowPath(lifeline_the_switch != 0) }

  /// Starts the recorder in this process; does nothing if it is already running, as under `lifeline record`.
  ///
  /// Objects allocated before this call have no class and no history in the trace, so call it first. Other threads may
  /// be running.
  ///
  /// - Throws: `TimelineError` when the probe's library is not found or cannot record this process.
  public static func start(_ options: Options = Options()) throws {
    if lifeline_harness_update() { return }
    if !lifeline_harness_attach() { try ProbeLibrary().load() }
    let problem = options.text.withCString { lifeline_harness_recorder().pointee.start($0) }
    if let problem { throw TimelineError(String(cString: problem)) }
    lifeline_harness_update()
  }

  /// Ends the recording that `start` began, and closes its trace; one that `lifeline record` began goes on.
  ///
  /// From then on the process runs only its own code. Another `start` begins a further trace, beside the first, in
  /// which older objects have a class and a count, but no allocation and no holders; it has no `keep`. Freed objects
  /// that were kept as zombies are given up, and references that were set before are not followed. Takes 20 ms; other
  /// threads may be running.
  ///
  /// - Throws: `TimelineError` when the recorder cannot leave the process, as when a debugger has changed its code.
  public static func stop() throws {
    // A recording that has stopped by itself, as on a full disk, is ended, too.
    guard lifeline_harness_attach() else { return }
    let problem = lifeline_harness_recorder().pointee.stop()
    lifeline_harness_update()
    if let problem { throw TimelineError(String(cString: problem)) }
  }

  /// Path of this process's trace, the last one if there are several; nil if it has none.
  public static var tracePath: String? {
    guard lifeline_harness_attach(), let path = lifeline_harness_recorder().pointee.trace_path() else { return nil }
    return String(cString: path)
  }

  /// Runs a body without recording what it does on this thread, for example to read the trace.
  public static func unrecorded<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result
  {
    guard isRecording else { return try body() }
    lifeline_harness_recorder().pointee.pause(true)
    defer { lifeline_harness_recorder().pointee.pause(false) }
    return try body()
  }

  /// Adds a mark to the trace at this point of the calling thread; up to 8191 bytes of the text are kept.
  ///
  ///     Timeline.mark("the list is on screen")
  @inlinable public static func mark(_ text: @autoclosure () -> String) {
    if isRecording { lifeline_harness_recorder().pointee.mark(text()) }
  }
}
