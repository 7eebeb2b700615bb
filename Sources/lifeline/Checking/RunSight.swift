import LifelineTrace

/// How much of a run a recording could show, besides leaks and retains.
struct RunSight {
  /// Whether uses of freed objects were looked for.
  private(set) var hasZombies: Bool
  /// Whether it was observed until it ended by itself.
  private(set) var isWhole: Bool
  /// Whether only some classes were recorded.
  private(set) var isFiltered: Bool
  /// Why not all of the program's functions have names, by which activities are recognized; nil if all have.
  private(set) var namesObstacle: String?

  init(_ recording: Recording, namesObstacle: String?) {
    self.namesObstacle = namesObstacle
    hasZombies = recording.hasZombies
    isFiltered = recording.isFiltered
    isWhole =
      switch recording.end {
      case .exit, .replaced: recording.stopReason == 0
      case .unknown, .signal, .detached: false
      }
  }

  /// Of several recordings: what all of them could show.
  init?(combining all: [RunSight]) {
    guard var common = all.first else { return nil }
    for one in all.dropFirst() {
      common.hasZombies = common.hasZombies && one.hasZombies
      common.isWhole = common.isWhole && one.isWhole
      common.isFiltered = common.isFiltered || one.isFiltered
      common.namesObstacle = common.namesObstacle ?? one.namesObstacle
    }
    self = common
  }

  /// What a clean run was not searched for, "leaks and uses of freed objects were not looked for": without `--fail-on`
  /// with its kind, it need not be. Nil if it was searched for everything.
  func exception(sawLeaks: Bool) -> String? {
    let kinds = [sawLeaks ? nil : "leaks", hasZombies ? nil : "uses of freed objects"].compactMap { $0 }
    return kinds.isEmpty ? nil : kinds.joined(separator: " and ") + " were not looked for"
  }
}
