import Foundation
import Glibc
import LifelineTestSupport

/// The state of a process that recording must not change.
struct ProcessImprint {
  /// Bytes of the executable file mappings, by file, without the probe's.
  let code: [String: Data]
  /// The targets of the descriptors.
  let descriptors: [String: String]
  let threads: [String]
  /// Handled and ignored signals.
  let signals: [String]

  init(_ process: pid_t) throws {
    let folder = "/proc/\(process)"
    let memory = open("\(folder)/mem", O_RDONLY | O_CLOEXEC)
    defer { close(memory) }
    var code: [String: Data] = [:]
    for line in Self.text("\(folder)/maps").split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 5)
      guard words.count == 6, words[1].contains("x"), words[5].contains("/"), !words[5].contains("libLifelineProbe")
      else { continue }
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      // A mapping that a detour split may stay split.
      code[String(words[5]), default: Data()] += Self.read(memory, bounds[0]..<bounds[1])
    }
    self.code = code
    descriptors = Dictionary(
      uniqueKeysWithValues: try FileManager.default.contentsOfDirectory(atPath: "\(folder)/fd").map {
        ($0, (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/fd/\($0)")) ?? "")
      })
    threads = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/task").sorted()
    signals = Self.text("\(folder)/status").split(separator: "\n").filter {
      $0.hasPrefix("SigCgt") || $0.hasPrefix("SigIgn")
    }
    .map(String.init)
  }

  /// The kernel returns such a file in parts that end with a line.
  private static func text(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while case let count = Glibc.read(file, &part, part.count), count > 0 { bytes += part[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func read(_ memory: Int32, _ addresses: Range<UInt64>) -> Data {
    var bytes = Data(count: Int(addresses.upperBound - addresses.lowerBound))
    let count = bytes.withUnsafeMutableBytes { buffer in
      var done = 0
      while done < buffer.count,
        case let more = pread(
          memory, buffer.baseAddress! + done, buffer.count - done, off_t(addresses.lowerBound) + off_t(done)),
        more > 0
      { done += more }
      return done
    }
    return bytes.prefix(count)
  }
}
