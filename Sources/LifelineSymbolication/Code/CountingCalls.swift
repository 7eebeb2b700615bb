/// The calls in an image that count references, begin or end an access to a property, or create an object.
struct CountingCalls {
  enum Callee {
    case retain, release, access, allocation
    /// Of several references at once.
    case several
  }

  let code: ImageCode
  let callees: [(calls: ReferenceCalls, callee: Callee)]

  /// What the call calls whose last byte is at an address; nil if it is something else.
  func callee(endingAt address: UInt64) -> Callee? {
    callees.first { $0.calls.hasCall(endingAt: address) }?.callee
  }
}
