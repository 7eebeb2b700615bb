/// Edits of a valid file, decoded from arbitrary bytes, so that a fuzzer gets past magic numbers and checksums.
///
/// Each edit is a place (three bytes), a length (one byte) and the new bytes:
///
///   ┌───────┬────────┬───────┐
///   │ place │ length │ bytes │ …
///   └───────┴────────┴───────┘
///       3        1      length
///
/// Places count through the ranges of the file that are worth changing, and wrap around.
struct Edits {
  let bytes: [UInt8]

  /// Returns the places that were changed.
  func apply(to file: inout [UInt8], in ranges: [Range<Int>]) -> [Range<Int>] {
    let size = ranges.reduce(0) { $0 + $1.count }
    guard size > 0 else { return [] }
    var changed: [Range<Int>] = []
    var rest = bytes[...]
    while rest.count > 4 {
      var place = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) } % size
      let length = Int(rest[rest.startIndex + 3])
      let new = rest.dropFirst(4).prefix(length)
      rest = rest.dropFirst(4 + new.count)
      guard
        let range = ranges.first(where: { range in
          if place < range.count { return true }
          place -= range.count
          return false
        })
      else { continue }
      let start = range.lowerBound + place
      let end = min(start + new.count, range.upperBound)
      file.replaceSubrange(start..<end, with: new.prefix(end - start))
      changed.append(start..<end)
    }
    return changed
  }
}
