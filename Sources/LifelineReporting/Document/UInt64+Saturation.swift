extension UInt64 {
  /// The sum, or the largest number: a damaged trace can hold any counts, and many lost events must not become none.
  func addingUpToMaximum(_ other: UInt64) -> UInt64 {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
