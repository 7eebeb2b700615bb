import CLifelineHarness

extension Timeline {
  /// Runs a named phase of the program, whose begin and end are recorded in the trace.
  @inlinable
  public static func phase<Result, Failure: Error>(_ name: String, _ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    guard isRecording else { return try body() }
    let span = RecordedSpan(LIFELINE_SPAN_phase, name)
    defer { span.end() }
    return try body()
  }

  /// The same for an asynchronous phase.
  @inlinable
  public static func phase<Result, Failure: Error>(
    _ name: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard isRecording else { return try await body() }
    let span = RecordedSpan(LIFELINE_SPAN_phase, name)
    defer { span.end() }
    return try await body()
  }

  /// Runs a scope, and reports objects that this thread allocated in it and that are still live after it.
  ///
  /// `report` is called once with the survivors, right after the scope; by default they are printed to standard error,
  /// if there are any. This reads the trace from its beginning, so it takes time proportional to the events recorded so
  /// far. Allocations of other threads are not counted. When nothing is recorded, only the body runs.
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
