import Glibc

/// The folder that lifeline was started in.
enum WorkingFolder {
  /// "" when it cannot be told.
  static var path: String {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    return String(cString: folder)
  }
}
