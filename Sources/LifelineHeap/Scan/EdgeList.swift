/// References from block to block, in order of the blocks that hold them.
struct EdgeList {
  /// The edges of block `n` are those from `starts[n]` up to `starts[n + 1]`.
  private(set) var starts: [UInt32] = []
  private(set) var targets: [UInt32] = []
  /// Bytes from the holder's beginning.
  private(set) var offsets: [UInt32] = []
  /// By number of an edge that leads to a closure's context: the closure's function.
  private(set) var functions: [UInt32: UInt64] = [:]

  /// - Parameter most: So many edges fit without another, larger copy of the lists. What is not used is not touched.
  init(nodes: Int, most: Int) {
    starts.reserveCapacity(nodes + 1)
    targets.reserveCapacity(most)
    offsets.reserveCapacity(most)
  }

  /// What follows is the next block's; after the last, the end.
  @inline(__always)
  mutating func begin() { starts.append(UInt32(targets.count)) }

  /// Adds the words of a block that lead to a block.
  @inline(__always)
  mutating func follow(
    _ words: Range<Int>, of bytes: UnsafeRawPointer, isObject: Bool, _ table: borrowing BlockTable,
    _ closures: inout ClosureFunctions
  ) {
    var index = words.lowerBound
    while index < words.upperBound {
      let target = table.block(of: bytes.load(fromByteOffset: index * 8, as: UInt64.self))
      if target >= 0 {
        // The word before one of these words may be padding, which still holds what the memory held before.
        let function =
          !isObject
          ? closures.function(before: index, ofMemory: bytes)
          : index > words.lowerBound ? closures.function(before: index, ofObject: bytes) : nil
        if let function { functions[UInt32(targets.count)] = function }
        targets.append(UInt32(target))
        offsets.append(UInt32(truncatingIfNeeded: index * 8))
      }
      index += 1
    }
  }
}
