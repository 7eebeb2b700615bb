import Glibc

/// The folder that lifeline was started in.
enum WorkingFolder {
  /// "" if it is unknown.
  static var path: String {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    return String(cString: folder)
  }
}
