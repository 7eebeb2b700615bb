/// Strings by number; the first is empty.
struct StringList {
  private var indices = ["": 0 as Int64]
  private var new = [""]

  mutating func index(_ text: String) -> Int64 {
    if let known = indices[text] { return known }
    let index = Int64(indices.count)
    indices[text] = index
    new.append(text)
    return index
  }

  /// The strings added since the last call, in order of their numbers.
  mutating func takeNew() -> [String] {
    defer { new.removeAll(keepingCapacity: true) }
    return new
  }
}
