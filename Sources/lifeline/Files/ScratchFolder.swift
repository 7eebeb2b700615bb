import Glibc
import LifelineTrace

/// A fresh folder of mode 0700, whose name cannot be guessed, with files and no folders in it.
struct ScratchFolder {
  let path: String

  /// Creates the folder in TMPDIR, or in /tmp where that is not set.
  ///
  /// - Throws: `TraceError` when the folder cannot be created.
  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array("\(parent)/lifeline-XXXXXX\0".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw TraceError("Cannot create a temporary folder in \(parent): \(String(cString: strerror(errno))).")
    }
    path = String(cString: made)
  }

  func remove() {
    if let directory = opendir(path) {
      while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink("\(path)/\(name)") }
      }
      closedir(directory)
    }
    rmdir(path)
  }
}
