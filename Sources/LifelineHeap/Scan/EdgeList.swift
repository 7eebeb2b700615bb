/// References between blocks, in order of the holding blocks.
struct EdgeList {
  /// The edges of block `n` are those from `starts[n]` up to `starts[n + 1]`.
  private(set) var starts: [UInt32] = []
  private(set) var targets: [UInt32] = []
  /// Bytes from the holder's start.
  private(set) var offsets: [UInt32] = []
  /// By edge to a closure's context: the closure's function.
  private(set) var functions: [UInt32: UInt64] = [:]
  /// By edge from plain memory: the code whose address is in the word before.
  private(set) var codeBefore: [UInt32: UInt64] = [:]

  /// - Parameter most: The number of edges that fit without a larger copy of the lists. Unused capacity is never
  /// touched.
  init(nodes: Int, most: Int) {
    starts.reserveCapacity(nodes + 1)
    targets.reserveCapacity(most)
    offsets.reserveCapacity(most)
  }

  /// Begins the next block; after the last, the end.
  @inline(__always)
  mutating func begin() { starts.append(UInt32(targets.count)) }

  /// Adds the words of a block that point to a block.
  @inline(__always)
  mutating func follow(
    _ words: Range<Int>, of bytes: UnsafeRawPointer, isObject: Bool, _ table: borrowing BlockTable,
    _ closures: inout ClosureFunctions
  ) {
    var index = words.lowerBound
    while index < words.upperBound {
      let target = table.block(of: bytes.load(fromByteOffset: index * 8, as: UInt64.self))
      if target >= 0 {
        // The word before one of these may be padding with leftover contents.
        let function =
          !isObject
          ? closures.function(before: index, ofMemory: bytes)
          : index > words.lowerBound ? closures.function(before: index, ofObject: bytes) : nil
        if let function {
          functions[UInt32(targets.count)] = function
        } else if !isObject, let code = closures.code(before: index, of: bytes) {
          codeBefore[UInt32(targets.count)] = code
        }
        targets.append(UInt32(target))
        offsets.append(UInt32(truncatingIfNeeded: index * 8))
      }
      index += 1
    }
  }
}
