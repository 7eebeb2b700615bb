/// Some of a graph's nodes, and the number of each among them. Needs 1.5 bits for each node of the graph, and 4 bytes
/// for each member.
public struct NodeSet: Sendable {
  /// In order of address.
  public let nodes: [UInt32]
  private var words: [UInt64]
  /// The number of members before each word.
  private var ranks: [UInt32] = []

  /// Nodes below `count`, in ascending order. O(count / 64 + nodes).
  public init(below count: Int, _ nodes: [UInt32]) {
    self.nodes = nodes
    words = Array(repeating: 0, count: (count + 63) / 64)
    for node in nodes { words[Int(node) >> 6] |= 1 << UInt64(node & 63) }
    ranks.reserveCapacity(words.count)
    var rank: UInt32 = 0
    for word in words {
      ranks.append(rank)
      rank += UInt32(word.nonzeroBitCount)
    }
  }

  public var count: Int { nodes.count }

  /// The number of a node among the members, in order of address; nil for other nodes. O(1).
  public func index(of node: Int) -> Int? {
    let word = words[node >> 6], bit = 1 << UInt64(node & 63) as UInt64
    return word & bit == 0 ? nil : Int(ranks[node >> 6]) + (word & (bit - 1)).nonzeroBitCount
  }
}
