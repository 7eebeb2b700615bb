import Glibc

/// The traces of a first run, which make room for those of a second one under the same name.
struct FirstTraces {
  /// Where they are now.
  private(set) var paths: [String]
  private let originals: [String]

  init(_ paths: [String]) {
    self.paths = paths
    originals = paths
  }

  /// Gives each the name FILE.first, or the next that is free. One that cannot be renamed keeps its name.
  mutating func moveAside() {
    for index in paths.indices {
      for attempt in 1...99 {
        let name = paths[index] + (attempt == 1 ? ".first" : ".first.\(attempt)")
        // A link refuses a name that is taken, which a plain rename replaces.
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

  /// Back to their own names, where these are free.
  mutating func moveBack() {
    for index in paths.indices where paths[index] != originals[index] {
      guard link(paths[index], originals[index]) == 0 else { continue }
      unlink(paths[index])
      paths[index] = originals[index]
    }
  }

  func remove() { for path in paths { unlink(path) } }
}
