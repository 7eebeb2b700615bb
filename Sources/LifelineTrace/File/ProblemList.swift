/// Sentences about damage; in a file damaged everywhere, the first hundred and the number of the others.
struct ProblemList {
  private static let limit = 100
  private var kept: [String] = []
  private var dropped = 0

  mutating func append(_ sentence: String) {
    if kept.count < Self.limit { kept.append(sentence) } else { dropped += 1 }
  }

  var sentences: [String] {
    guard dropped > 0 else { return kept }
    return kept + ["\(dropped) more \(dropped == 1 ? "problem is" : "problems are") not listed."]
  }
}
