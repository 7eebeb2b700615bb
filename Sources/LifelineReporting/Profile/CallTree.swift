import LifelineLifetimes
import LifelineTrace

/// Backtraces with names, as a tree of calls: node 0 is the root, and every other node comes after its caller.
///
/// Inlined functions are separate frames. Equal calls are one node, whatever their addresses.
public struct CallTree: Sendable {
  public struct Node: Sendable {
    public let caller: Int32
    /// Index in `frames`, -1 for the root.
    public let frame: Int32
  }

  public private(set) var frames: [CallFrame] = []
  public private(set) var nodes = [Node(caller: -1, frame: -1)]
  private var frameIndices: [CallFrame: Int32] = [:]
  private var children: [UInt64: Int32] = [:]

  public init() {}

  /// The node for a call of `frame` by `caller`.
  public mutating func child(of caller: Int, _ frame: Int) -> Int {
    let key = UInt64(caller) << 32 | UInt64(frame)
    if let known = children[key] { return Int(known) }
    nodes.append(Node(caller: Int32(caller), frame: Int32(frame)))
    children[key] = Int32(nodes.count - 1)
    return nodes.count - 1
  }

  /// The index of a frame, which is added if it is new.
  public mutating func index(of frame: CallFrame) -> Int {
    if let known = frameIndices[frame] { return Int(known) }
    frames.append(frame)
    frameIndices[frame] = Int32(frames.count - 1)
    return frames.count - 1
  }

  /// Frames from a node outwards, innermost first.
  public func path(_ node: Int) -> [Int] {
    var result: [Int] = []
    var node = node
    while node > 0 {
      result.append(Int(nodes[node].frame))
      node = Int(nodes[node].caller)
    }
    return result
  }

  /// The same tree with other frames, and the new node of each old one: nodes that become equal are merged.
  public func mapping(_ change: (CallFrame) -> CallFrame) -> (tree: CallTree, places: [Int32]) {
    var tree = CallTree()
    let indices = frames.map { tree.index(of: change($0)) }
    var places: [Int32] = [0]
    places.reserveCapacity(nodes.count)
    for node in nodes.dropFirst() {
      places.append(Int32(tree.child(of: Int(places[Int(node.caller)]), indices[Int(node.frame)])))
    }
    return (tree, places)
  }
}
