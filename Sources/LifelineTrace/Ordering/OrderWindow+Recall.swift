extension OrderWindow {
  /// Takes the order that an earlier reading decided; false if there is none.
  func recall() -> Bool {
    guard let window = orders.window(number, fingerprint: fingerprint), window.order.count == count else {
      return false
    }
    for place in 0..<count { order[place] = Int32(window.order[place]) }
    decided = window.decided
    failures = window.failures
    return true
  }

  /// Keeps the order for the next reading.
  func keep() {
    guard count <= Int(UInt16.max) else { return }
    let window = DecidedOrders.Window(
      fingerprint: fingerprint(), order: (0..<count).map { UInt16(order[$0]) }, decided: decided, failures: failures)
    orders.keep(window, number: number)
  }

  /// A sum of all that the order depends on.
  private func fingerprint() -> UInt64 {
    var sum = lastKnownTime &+ UInt64(inside)
    func add(_ part: UInt64) {
      sum = (sum ^ part) &* 0x9E37_79B9_7F4A_7C15
      sum ^= sum >> 29
    }
    for index in 0..<count {
      let record = records + index
      add(record.pointee.object ^ UInt64(record.pointee.stream) << 48)
      add(record.pointee.clock)
      add(UInt64(UInt32(bitPattern: record.pointee.step.before)))
      add(UInt64(UInt32(bitPattern: record.pointee.step.after)))
    }
    for index in 0..<objectCount { add(UInt64(UInt32(bitPattern: objects[index].start))) }
    return sum
  }
}
