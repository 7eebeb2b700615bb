/// "5%" or "2.5%", from 0.1% to 100%.
struct Percentage {
  let tenths: Int

  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{1,3})(?:\.([0-9]))?%/), let whole = Int(match.1) else {
      return nil
    }
    tenths = whole * 10 + (match.2.flatMap { Int($0) } ?? 0)
    guard (1...1000).contains(tenths) else { return nil }
  }
}
