import Glibc

/// A folder in which programs, libraries and debug files lie in any order.
enum SymbolFolder {
  /// Deeper folders and further files are left out: a folder may be the root of a file system.
  private static let depthLimit = 24, fileLimit = 200_000

  /// The ELF files below folders, by build ID, in the order of their paths. Links to files are followed, links
  /// to folders are not.
  static func pathsByBuildID(in folders: [String]) -> [[UInt8]: [String]] {
    var found: [[UInt8]: [String]] = [:]
    var count = 0
    for folder in folders { visit(folder, depth: 0, &count, &found) }
    return found
  }

  private static func visit(_ folder: String, depth: Int, _ count: inout Int, _ found: inout [[UInt8]: [String]]) {
    guard depth < depthLimit else { return }
    for name in names(in: folder).sorted() where count < fileLimit {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        visit(path, depth: depth + 1, &count, &found)
        continue
      }
      // A pipe or a device is not opened.
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      count += 1
      guard let buildID = (try? ELFFile(path: path))?.buildID, !buildID.isEmpty else { continue }
      found[buildID, default: []].append(path)
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
