extension LeakCutInspector {
  /// Edges that one change to the program removes.
  struct Candidate {
    let change: LeakCut.Change
    let rank: Int
    /// Allocation of the oldest object that they refer to.
    let age: UInt64
    let edges: [Int]
    /// Nodes that it ends: a task, with its memory.
    var ending: [Int] = []
    /// Further edges outside of the cycle that the change removes.
    var others: [Int] = []

    func ranked(_ rank: Int) -> Self {
      Self(change: change, rank: rank, age: age, edges: edges, ending: ending, others: others)
    }

    /// A closure's capture or a back reference, which should mostly not be strong.
    var isLikely: Bool { rank <= 1 }
    /// Those, or a reference to an older object, which need not be strong.
    var isWeakening: Bool { rank <= 2 }
  }
}
