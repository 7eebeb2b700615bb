import LifelineLifetimes
import LifelineTrace

/// A profile whose backtraces have names.
public struct CallProfile: Sendable {
  /// What one class cost at one node of the tree.
  public struct Sample: Sendable {
    public let classIndex: Int
    public let node: Int
    public let cost: ProfileCost
    /// Objects that outlived their last owner, if a diagnosis was requested.
    public let late: Int
  }

  public let classes: [LifetimeProfile.ClassEntry]
  public let tree: CallTree
  /// By node, then class; at most one for each pair of them.
  public let samples: [Sample]

  /// O(samples × depth of new backtraces).
  public init(_ profile: LifetimeProfile, names: Names, late: [LateObject] = []) {
    var backtraces = profile.backtraces
    let allocations = late.map { backtraces.intern($0.allocation) }
    var builder = CallTreeBuilder(backtraces, names: names)
    var placed = profile.samples.filter { !$0.cost.isZero }.map {
      Sample(classIndex: $0.classIndex, node: builder.node($0.backtrace), cost: $0.cost, late: 0)
    }
    let indices = Dictionary(
      profile.classes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    for (life, allocation) in zip(late, allocations) {
      guard let index = indices[life.className] else { continue }
      placed.append(Sample(classIndex: index, node: builder.node(allocation), cost: ProfileCost(), late: 1))
    }
    self.init(classes: profile.classes, tree: builder.tree, samples: placed)
  }

  init(classes: [LifetimeProfile.ClassEntry], tree: CallTree, samples: [Sample]) {
    self.classes = classes
    self.tree = tree
    var merged: [Sample] = []
    for sample in samples.sorted(by: { ($0.node, $0.classIndex) < ($1.node, $1.classIndex) }) {
      if let last = merged.last, last.node == sample.node, last.classIndex == sample.classIndex {
        merged[merged.count - 1] = Sample(
          classIndex: last.classIndex, node: last.node, cost: last.cost + sample.cost, late: last.late + sample.late)
      } else {
        merged.append(sample)
      }
    }
    self.samples = merged
  }

  /// The same costs by function, without lines.
  public var byFunction: CallProfile {
    // If code was inlined from another file, a function's frames have different files, which are omitted.
    let (folded, places) = tree.mapping {
      CallFrame(function: $0.function, mangledName: $0.mangledName, image: $0.image, isSystem: $0.isSystem)
    }
    return CallProfile(
      classes: classes, tree: folded,
      samples: samples.map {
        Sample(classIndex: $0.classIndex, node: Int(places[$0.node]), cost: $0.cost, late: $0.late)
      })
  }

  /// What a class is called in a profile.
  public func className(_ index: Int) -> String { index == 0 ? "(older than the recording)" : classes[index].name }

  public var total: ProfileCost { samples.reduce(into: ProfileCost()) { $0 += $1.cost } }
}
