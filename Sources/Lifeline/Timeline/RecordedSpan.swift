import CLifelineHarness

/// A span that is being recorded.
@usableFromInline
struct RecordedSpan: Sendable {
  let number: UInt64
  private let sort: UInt32

  @usableFromInline
  init(_ sort: lifeline_span_sort, _ name: String) {
    self.sort = sort.rawValue
    number = Timeline.isRecording ? lifeline_harness_recorder().pointee.span_begin(sort.rawValue, name) : 0
  }

  @usableFromInline
  func end() { if number != 0 { lifeline_harness_recorder().pointee.span_end(sort, number) } }

  /// Records that an object is kept alive while `body` runs.
  func holding<Result>(_ object: AnyObject, as role: lifeline_role, _ body: () -> Result) -> Result {
    guard number != 0 else { return body() }
    let address = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    lifeline_harness_recorder().pointee.hold(address, role.rawValue, number, true)
    defer { lifeline_harness_recorder().pointee.hold(address, role.rawValue, number, false) }
    return body()
  }
}
