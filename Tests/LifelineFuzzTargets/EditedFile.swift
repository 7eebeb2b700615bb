import Foundation
import Glibc
import Synchronization

/// A valid file that is edited, read and restored, because building and writing a megabyte for each input would take
/// longer than reading it.
final class EditedFile: Sendable {
  private let sound: [UInt8]
  private let ranges: [Range<Int>]
  private let reseal: (@Sendable (inout [UInt8]) -> Void)?
  private let descriptor: Int32
  private let bytes: Mutex<[UInt8]>

  /// Inputs change only bytes in the ranges. `reseal` then corrects checksums, which are there as well.
  init(_ sound: [UInt8], ranges: [Range<Int>], reseal: (@Sendable (inout [UInt8]) -> Void)? = nil) {
    self.sound = sound
    self.ranges = ranges
    self.reseal = reseal
    bytes = Mutex(sound)
    descriptor = NamelessFile.open()
    write(sound, [0..<sound.count])
  }

  /// Applies an input's edits and passes the file's path to `body`.
  func read(_ input: [UInt8], _ body: (String) throws -> Void) rethrows {
    try bytes.withLock { bytes in
      var changed = Edits(bytes: input).apply(to: &bytes, in: ranges)
      if let reseal {
        reseal(&bytes)
        changed = ranges
      }
      write(bytes, changed)
      defer {
        for range in changed { bytes.replaceSubrange(range, with: sound[range]) }
        write(bytes, changed)
      }
      try body("/proc/self/fd/\(descriptor)")
    }
  }

  private func write(_ bytes: [UInt8], _ ranges: [Range<Int>]) {
    bytes.withUnsafeBytes { bytes in
      for range in ranges where !range.isEmpty {
        let count = pwrite(descriptor, bytes.baseAddress! + range.lowerBound, range.count, off_t(range.lowerBound))
        guard count == range.count else {
          fatalError("the input cannot be written: \(String(cString: strerror(errno)))")
        }
      }
    }
  }
}
