import Foundation
import Glibc
import SystemPackage

/// An unlinked file, for readers that take a path.
enum NamelessFile {
  /// Returns the descriptor of a new file.
  static func open() -> Int32 {
    var template = Array((FileManager.default.temporaryDirectory.path + "/lifeline-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { fatalError("no file for the input: \(String(cString: strerror(errno)))") }
    unlink(template)
    return descriptor
  }

  /// Passes `body` the path of a file with these bytes, which exists only during the call.
  static func with(_ bytes: [UInt8], _ body: (String) throws -> Void) rethrows {
    let descriptor = open()
    defer { close(descriptor) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, bytes.count - written) }
      guard count > 0 else { fatalError("the input cannot be written: \(String(cString: strerror(errno)))") }
      written += count
    }
    try body("/proc/self/fd/\(descriptor)")
  }

  /// Passes `body` an empty file's descriptor and path.
  static func withEmpty(_ body: (FileDescriptor, String) throws -> Void) rethrows {
    let descriptor = open()
    defer { close(descriptor) }
    try body(FileDescriptor(rawValue: descriptor), "/proc/self/fd/\(descriptor)")
  }
}
