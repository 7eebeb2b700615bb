import ArgumentParser

/// "1/64": one in this many objects.
struct SampleFraction: ExpressibleByArgument {
  static let largest = 1 << 20
  let denominator: Int

  init?(argument: String) {
    guard argument.hasPrefix("1/"), let number = Int(argument.dropFirst(2)), (1...Self.largest).contains(number) else {
      return nil
    }
    denominator = number
  }
}
