import LifelineTrace

/// Adds names to backtraces, each site once.
public struct CallTreeBuilder {
  public private(set) var tree = CallTree()
  private let names: Names
  private let backtraces: BacktraceTable
  /// The tree's node of each backtrace, -1 if not looked up yet.
  private var places: [Int32]
  private var frames: [UInt64: [Int]] = [:]

  public init(_ backtraces: BacktraceTable, names: Names) {
    self.names = names
    self.backtraces = backtraces
    places = Array(repeating: -1, count: backtraces.count)
  }

  /// The node of a backtrace's innermost function.
  public mutating func node(_ id: BacktraceID) -> Int {
    if id == .empty { return tree.child(of: 0, tree.index(of: .unknown)) }
    var waiting: [BacktraceID] = []
    var next = id
    while next != .empty, places[Int(next.rawValue)] < 0 {
      waiting.append(next)
      next = backtraces.caller(of: next)
    }
    var node = next == .empty ? 0 : Int(places[Int(next.rawValue)])
    for id in waiting.reversed() {
      for frame in frameIndices(backtraces.innermost(of: id)!) { node = tree.child(of: node, frame) }
      places[Int(id.rawValue)] = Int32(node)
    }
    return node
  }

  /// The frames of a site, the outermost first.
  private mutating func frameIndices(_ site: BacktraceEntry) -> [Int] {
    if let known = frames[site.word] { return known }
    let found = names.callFrames(site).reversed().map { tree.index(of: $0) }
    frames[site.word] = found
    return found
  }
}
