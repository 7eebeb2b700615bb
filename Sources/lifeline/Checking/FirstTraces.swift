import Glibc

/// The traces of a first run, which are renamed to make room for those of a second one.
struct FirstTraces {
  /// Their current paths.
  private(set) var paths: [String]
  private let originals: [String]

  init(_ paths: [String]) {
    self.paths = paths
    originals = paths
  }

  /// Renames each to FILE.first, or the next unused name. One that cannot be renamed keeps its name.
  mutating func moveAside() {
    for index in paths.indices {
      for attempt in 1...99 {
        let name = paths[index] + (attempt == 1 ? ".first" : ".first.\(attempt)")
        // link fails if the name is taken, whereas rename would replace it.
        guard link(paths[index], name) == 0 else {
          if errno == EEXIST { continue }
          break
        }
        unlink(paths[index])
        paths[index] = name
        break
      }
    }
  }

  /// Restores the original names, if these are unused.
  mutating func moveBack() {
    for index in paths.indices where paths[index] != originals[index] {
      guard link(paths[index], originals[index]) == 0 else { continue }
      unlink(paths[index])
      paths[index] = originals[index]
    }
  }

  func remove() { for path in paths { unlink(path) } }
}
