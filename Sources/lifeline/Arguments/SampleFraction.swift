/// "1/64": one in this many objects.
struct SampleFraction {
  static let largest = 1 << 20
  let denominator: Int

  init?(_ text: String) {
    guard text.hasPrefix("1/"), let number = Int(text.dropFirst(2)), (1...Self.largest).contains(number) else {
      return nil
    }
    denominator = number
  }
}
