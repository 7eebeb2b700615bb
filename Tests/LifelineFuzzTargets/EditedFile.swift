import Foundation
import Glibc

/// A valid file that is edited, read and restored, because building and writing a megabyte for each input would take
/// longer than reading it.
struct EditedFile: ~Copyable {
  private let sound: [UInt8]
  private let ranges: [Range<Int>]
  private let descriptor: Int32
  private var bytes: [UInt8]

  /// Inputs change only bytes in the ranges.
  init(_ sound: [UInt8], ranges: [Range<Int>]) {
    self.sound = sound
    self.ranges = ranges
    bytes = sound
    descriptor = NamelessFile.open()
    write([0..<sound.count])
  }

  /// Applies an input's edits, corrects the checksums with `reseal`, and passes the file's path to `body`.
  mutating func read(_ input: [UInt8], reseal: (inout [UInt8]) -> Void, _ body: (String) throws -> Void) rethrows {
    Edits(bytes: input).apply(to: &bytes, in: ranges)
    reseal(&bytes)
    write(ranges)
    defer { for range in ranges { for place in range { bytes[place] = sound[place] } } }
    try body("/proc/self/fd/\(descriptor)")
  }

  private func write(_ ranges: [Range<Int>]) {
    bytes.withUnsafeBytes { bytes in
      for range in ranges {
        let count = pwrite(descriptor, bytes.baseAddress! + range.lowerBound, range.count, off_t(range.lowerBound))
        guard count == range.count else {
          fatalError("the input cannot be written: \(String(cString: strerror(errno)))")
        }
      }
    }
  }
}
