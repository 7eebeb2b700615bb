import Glibc
import LifelineTrace

/// A fresh folder of mode 0700, whose name cannot be guessed.
struct ScratchFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/lifeline-XXXXXX\0".utf8CString)
    guard let made = mkdtemp(&template) else { throw TraceError("Cannot create a temporary folder in /tmp.") }
    path = String(cString: made)
  }

  func remove() { TemporaryFolder(path: path).remove() }
}
