/// One operation, on the language's own reference and on the tracked one.
struct ReferencePair {
  typealias Loop = (Owner, [Node], Int) -> Void
  let name: String
  let plain: Loop
  let tracked: Loop

  init(_ name: String, _ plain: @escaping Loop, _ tracked: @escaping Loop) {
    self.name = name
    self.plain = plain
    self.tracked = tracked
  }

  nonisolated(unsafe) static let all = [
    ReferencePair(
      "strong set", { owner, nodes, n in for i in 0..<n { owner.set(strong: nodes[i & 1]) } },
      { owner, nodes, n in for i in 0..<n { owner.set(trackedStrong: nodes[i & 1]) } }),
    ReferencePair(
      "strong load", { owner, _, n in for _ in 0..<n { use(owner.getStrong()) } },
      { owner, _, n in for _ in 0..<n { use(owner.getTrackedStrong()) } }),
    ReferencePair(
      "strong message", { owner, _, n in for _ in 0..<n { owner.tellStrong() } },
      { owner, _, n in for _ in 0..<n { owner.tellTrackedStrong() } }),
    ReferencePair(
      "weak set", { owner, nodes, n in for i in 0..<n { owner.set(weakly: nodes[i & 1]) } },
      { owner, nodes, n in for i in 0..<n { owner.set(trackedWeak: nodes[i & 1]) } }),
    ReferencePair(
      "weak load", { owner, _, n in for _ in 0..<n { use(owner.getWeak()) } },
      { owner, _, n in for _ in 0..<n { use(owner.getTrackedWeak()) } }),
    ReferencePair(
      "weak message", { owner, _, n in for _ in 0..<n { owner.tellWeak() } },
      { owner, _, n in for _ in 0..<n { owner.tellTrackedWeak() } }),
    ReferencePair(
      "weak any set", { owner, nodes, n in for i in 0..<n { owner.set(existentially: nodes[i & 1]) } },
      { owner, nodes, n in for i in 0..<n { owner.set(trackedExistential: nodes[i & 1]) } }),
    ReferencePair(
      "weak any load", { owner, _, n in for _ in 0..<n { use(owner.getExistential()) } },
      { owner, _, n in for _ in 0..<n { use(owner.getTrackedExistential()) } }),
    ReferencePair(
      "unowned set", { owner, nodes, n in for i in 0..<n { owner.set(unownedly: nodes[i & 1]) } },
      { owner, nodes, n in for i in 0..<n { owner.set(trackedUnowned: nodes[i & 1]) } }),
    ReferencePair(
      "unowned load", { owner, _, n in for _ in 0..<n { use(owner.getUnowned()) } },
      { owner, _, n in for _ in 0..<n { use(owner.getTrackedUnowned()) } }),
    ReferencePair(
      "unowned message", { owner, _, n in for _ in 0..<n { owner.tellUnowned() } },
      { owner, _, n in for _ in 0..<n { owner.tellTrackedUnowned() } }),
    ReferencePair(
      "unsafe set", { owner, nodes, n in for i in 0..<n { owner.set(unsafely: nodes[i & 1]) } },
      { owner, nodes, n in for i in 0..<n { owner.set(trackedUnsafe: nodes[i & 1]) } }),
    ReferencePair(
      "unsafe load", { owner, _, n in for _ in 0..<n { use(owner.getUnsafe()) } },
      { owner, _, n in for _ in 0..<n { use(owner.getTrackedUnsafe()) } }),
    ReferencePair(
      "unsafe message", { owner, _, n in for _ in 0..<n { owner.tellUnsafe() } },
      { owner, _, n in for _ in 0..<n { owner.tellTrackedUnsafe() } }),
  ]
}

/// What was loaded is looked at, so that it has to be loaded.
@inline(never) private func use(_ node: Node?) { if node == nil { misses += 1 } }
@inline(never) private func use(_ node: (any Valued)?) { if node == nil { misses += 1 } }
nonisolated(unsafe) private var misses = 0
