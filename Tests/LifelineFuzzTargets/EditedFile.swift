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
  /// The file's memory, which changes it without a system call.
  private let address: Int

  /// Inputs change only bytes in the ranges. `reseal` then corrects checksums, which are there as well.
  init(_ sound: [UInt8], ranges: [Range<Int>], reseal: (@Sendable (inout [UInt8]) -> Void)? = nil) {
    self.sound = sound
    self.ranges = ranges
    self.reseal = reseal
    bytes = Mutex(sound)
    descriptor = NamelessFile.open()
    guard ftruncate(descriptor, off_t(sound.count)) == 0,
      let memory = mmap(nil, sound.count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
    else { fatalError("no file for the input: \(String(cString: strerror(errno)))") }
    address = Int(bitPattern: memory)
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
        UnsafeMutableRawPointer(bitPattern: address + range.lowerBound)!
          .copyMemory(from: bytes.baseAddress! + range.lowerBound, byteCount: range.count)
      }
    }
  }
}
