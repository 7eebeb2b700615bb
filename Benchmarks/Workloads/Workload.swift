/// What a benchmark makes the runtime do.
enum Workload: String, CaseIterable {
  case loop
  case allocation
  case mixed

  /// Repetitions per thread unless `--count` says otherwise: about half a second of work each.
  var defaultCount: Int {
    switch self {
    case .loop: 10_000_000
    case .allocation: 5_000_000
    case .mixed: 400_000
    }
  }

  /// Does the work of one thread, under `frames` frames and with so many keys, and returns a number that depends on all of it.
  func run(count: Int, frames: Int, keys: Int) -> Int {
    var result = 0
    switch self {
    case .loop:
      let loop = RetainReleaseLoop()
      descend(frames, &result) { loop.run(count) }
    case .allocation:
      descend(frames, &result) { allocateAndFree(count) }
    case .mixed:
      var mixed = MixedWorkload(keys: keys)
      descend(frames, &result) { mixed.run(count) }
    }
    return result
  }
}

/// Calls `body` below `frames` frames of its own; the addition after the call keeps each of them on the stack.
@inline(never)
private func descend(_ frames: Int, _ sum: inout Int, _ body: () -> Int) {
  if frames == 0 {
    sum &+= body()
  } else {
    descend(frames - 1, &sum, body)
    sum &+= frames
  }
}
