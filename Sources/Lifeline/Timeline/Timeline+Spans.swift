import CLifelineHarness

extension Timeline {
  /// Runs a named phase of the program: it begins and ends in the trace.
  @inlinable
  public static func phase<Result, Failure: Error>(_ name: String, _ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    guard isRecording else { return try body() }
    let span = RecordedSpan(LIFELINE_SPAN_phase, name)
    defer { span.end() }
    return try body()
  }

  /// The same for a phase that waits.
  @inlinable
  public static func phase<Result, Failure: Error>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard isRecording else { return try await body() }
    let span = RecordedSpan(LIFELINE_SPAN_phase, name)
    defer { span.end() }
    return try await body()
  }

  /// Runs a scope, and reports what this thread allocated in it and is still live after it.
  ///
  /// `report` is called with the survivors, once, right after the scope; left out, they go to standard error, if there
  /// are any. It reads the trace from its beginning, so it costs time in proportion to the events recorded so far. What
  /// other threads allocate meanwhile is not counted. Not recording, it runs the body only.
  public static func scope<Result, Failure: Error>(
    _ name: String = "scope", report: ((Survivors) -> Void)? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isRecording else { return try body() }
    let span = RecordedSpan(LIFELINE_SPAN_scope, name)
    let result: Result
    do {
      result = try body()
    } catch {
      span.end()
      throw error
    }
    span.end()
    let survivors = unrecorded { Survivors(of: span.number, name: name, place: "\(file):\(line)") }
    if let report { report(survivors) } else if survivors.isWorthSaying { survivors.say() }
    return result
  }
}
