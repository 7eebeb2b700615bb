import LifelineTrace
import SystemPackage

/// A small text file named by the user.
struct InputFile {
  let path: String
  private static let limit = 16 << 20

  /// - Throws: `TraceError` if it does not exist, or is not text of at most 16 MB.
  func read() throws -> String {
    do {
      let file = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      defer { try? file.close() }
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65536)
      while bytes.count <= Self.limit {
        let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
        if count == 0 { break }
        bytes += buffer[..<count]
      }
      guard bytes.count <= Self.limit else { throw TraceError("The file \(path) is larger than the limit of 16 MB.") }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw TraceError("The file \(path) is not UTF-8 text.")
      }
      return text
    } catch Errno.noSuchFileOrDirectory {
      throw TraceError("There is no file \(path).")
    } catch let error as Errno {
      throw TraceError("Cannot read the file \(path): \(error).")
    }
  }
}
