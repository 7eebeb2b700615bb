import LifelineLifetimes

/// The largest calls of a profile, or of two of them, for a flame graph: each with the costs of everything that it
/// calls.
struct FlameTree {
  /// What the outermost frames are.
  enum Order: String, CaseIterable { case code, `class` }

  struct Node {
    /// Index in `nodes`; a node comes after its parent, and the root is its own.
    let parent: Int
    /// Index in `names`.
    let name: Int
    let cost: ProfileCost
    /// In the earlier of two profiles.
    let former: ProfileCost
  }

  struct Name: Hashable {
    let text: String
    let isSystem: Bool
  }

  static let limit = 6000

  private(set) var nodes: [Node] = []
  private(set) var names: [Name] = []
  /// Smaller calls that are not drawn.
  private(set) var omitted = 0

  /// O(samples × depth).
  init(_ profile: CallProfile, former: CallProfile?, order: Order, limit: Int = FlameTree.limit) {
    var tree = CallTree()
    var costs: [ProfileCost] = [ProfileCost()]
    var formers: [ProfileCost] = [ProfileCost()]
    func add(_ profile: CallProfile, to sums: inout [ProfileCost]) {
      let frames = profile.tree.frames.map { tree.index(of: CallFrame(function: $0.function, isSystem: $0.isSystem)) }
      let classes =
        order == .class
        ? profile.classes.indices.map { tree.index(of: CallFrame(function: profile.className($0))) } : []
      for sample in profile.samples {
        var node = order == .class ? tree.child(of: 0, classes[sample.classIndex]) : 0
        for frame in profile.tree.path(sample.node).reversed() { node = tree.child(of: node, frames[frame]) }
        while sums.count < tree.nodes.count { sums.append(ProfileCost()) }
        sums[node] += sample.cost
      }
    }
    add(profile, to: &costs)
    if let former { add(former, to: &formers) }
    for missing in [costs.count, formers.count] where missing < tree.nodes.count {
      costs += Array(repeating: ProfileCost(), count: tree.nodes.count - costs.count)
      formers += Array(repeating: ProfileCost(), count: tree.nodes.count - formers.count)
    }
    for node in tree.nodes.indices.dropFirst().reversed() {
      costs[Int(tree.nodes[node].caller)] += costs[node]
      formers[Int(tree.nodes[node].caller)] += formers[node]
    }
    keep(tree, costs, formers, limit)
  }

  /// Keeps the nodes with the largest share of any cost; a caller's share is never smaller than that of what it calls.
  private mutating func keep(_ tree: CallTree, _ costs: [ProfileCost], _ formers: [ProfileCost], _ limit: Int) {
    func share(_ cost: ProfileCost, _ total: ProfileCost) -> Double {
      ProfileMetric.allCases.reduce(0) { total[$1] > 0 ? max($0, Double(cost[$1]) / Double(total[$1])) : $0 }
    }
    let shares = tree.nodes.indices.map { max(share(costs[$0], costs[0]), share(formers[$0], formers[0])) }
    let kept = tree.nodes.indices.sorted { (shares[$1], $0) < (shares[$0], $1) }.prefix(limit).filter {
      $0 == 0 || shares[$0] > 0
    }.sorted()
    omitted = tree.nodes.count - kept.count
    var places: [Int: Int] = [:]
    var indices: [Name: Int] = [:]
    for node in kept {
      let frame = tree.nodes[node].frame
      let name =
        frame < 0
        ? Name(text: "all", isSystem: true)
        : Name(text: tree.frames[Int(frame)].function, isSystem: tree.frames[Int(frame)].isSystem)
      let index = indices[name] ?? names.count
      if index == names.count {
        names.append(name)
        indices[name] = index
      }
      places[node] = nodes.count
      nodes.append(
        Node(
          parent: node == 0 ? 0 : places[Int(tree.nodes[node].caller)]!, name: index, cost: costs[node],
          former: formers[node]))
    }
  }
}
