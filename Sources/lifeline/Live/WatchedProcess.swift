import Foundation
import Glibc
import LifelineTrace

/// The process of a trace, according to /proc.
struct WatchedProcess {
  let process: Int
  /// Start of its recording in nanoseconds since 1970.
  let startTime: UInt64

  /// Whether it is running: the ID may have been reused by a process that began later than the recording.
  var isRunning: Bool {
    guard let text = Self.contents("/proc/\(process)/stat"), let end = text.lastIndex(of: ")") else { return false }
    // proc(5): the name in parentheses is followed by the state, …, and as the 20th the start in ticks since the boot.
    let fields = text[text.index(after: end)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return false }
    guard let boot = Self.bootTime, let ticks = Double(fields[19]) else { return true }
    return boot + ticks / Double(sysconf(Int32(_SC_CLK_TCK))) < Double(startTime) / 1e9 + 2
  }

  private static var bootTime: Double? {
    let line = contents("/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
    return line.flatMap { Double($0.dropFirst(6)) }
  }

  private static func contents(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The trace that a process is writing, according to its memory: the file header stays mapped as long as it records.
  ///
  /// - Throws: `TraceError` if there is no such process, or its memory may not be examined.
  static func trace(of process: Int) throws -> String? {
    guard kill(pid_t(truncatingIfNeeded: process), 0) == 0 || errno == EPERM else {
      throw TraceError("There is no process \(process), and no file with that name.")
    }
    guard let maps = contents("/proc/\(process)/maps") else {
      throw TraceError("Cannot read the memory map of process \(process); run lifeline as its user, or give its trace.")
    }
    var seen: Set<Substring> = []
    for line in maps.split(separator: "\n") where line.contains("rw-s") {
      guard let slash = line.firstIndex(of: "/"), seen.insert(line[slash...]).inserted else { continue }
      // After a fork the child has its parent's mappings until it creates its own.
      let path = String(line[slash...])
      if let recording = try? Recording.read(path: path), recording.process == process { return path }
    }
    return nil
  }
}
