/// Known work for `lifeline doctor`: the executable runs it under the probe and counts the recorded events.
struct SelfTest {
  static let argument = "--self-test"
  static let className = "SelfTestObject"
  static let objects = 1000

  /// Allocates and frees the objects.
  static func run() {
    var kept: [SelfTestObject] = []
    for index in 0..<objects { kept.append(SelfTestObject(index)) }
    precondition(kept.reduce(0) { $0 + $1.value } == objects * (objects - 1) / 2)
  }
}

private final class SelfTestObject {
  let value: Int
  init(_ value: Int) { self.value = value }
}
