import CPtrace
import Glibc
import LifelineTrace

/// The paths of a recording's traces: the program's own, and those of its descendants next to it.
struct TracePath {
  /// Absolute pattern with %p and %e.
  let pattern: String

  init(output: String?) {
    let chosen = output ?? "%e.%p.lifeline"
    if chosen.hasPrefix("/") {
      pattern = chosen
    } else {
      let folder = getcwd(nil, 0)
      defer { free(folder) }
      // The folder's own name may contain a percent sign.
      let escaped = folder.map { String(cString: $0) }?.split(separator: "%", omittingEmptySubsequences: false).joined(
        separator: "%%")
      pattern = "\(escaped ?? ".")/\(chosen)"
    }
  }

  /// The path for one process.
  func expanded(process: Int, program: String) -> String {
    var result = ""
    var rest = Substring(pattern)
    while let percent = rest.firstIndex(of: "%") {
      result += rest[..<percent]
      let tail = rest[rest.index(after: percent)...]
      switch tail.first {
      case "p": result += String(process)
      case "e": result += program
      case "%": result += "%"
      default:
        result += "%"
        rest = tail
        continue
      }
      rest = tail.dropFirst()
    }
    return result + rest
  }

  /// Whether the path is the same for every process.
  var isFixed: Bool { expanded(process: 1, program: "a") == expanded(process: 2, program: "b") }

  /// Whether only the file name varies, so that traces are in one folder.
  var hasFixedFolder: Bool { folder == Self.folder(of: expanded(process: 1, program: "a")) }

  var folder: String { Self.folder(of: expanded(process: 0, program: "")) }

  private static func folder(of path: String) -> String {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return folder.isEmpty ? "/" : folder
  }

  private struct Start: Hashable {
    let process: Int
    let time: UInt64
  }

  /// All traces of a session in the folder, oldest first. A copy that someone made of one is none.
  func traces(session: UInt64) -> [(path: String, recording: Recording)] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var found: [(path: String, recording: Recording)] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard entry.pointee.d_type == UInt8(DT_REG) || entry.pointee.d_type == UInt8(DT_UNKNOWN) else { continue }
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      guard let recording = try? Recording.read(path: path), recording.session == session else { continue }
      found.append((path, recording))
    }
    let sorted = found.sorted {
      ($0.recording.startTime, lifeline_birth($0.path), $0.path)
        < ($1.recording.startTime, lifeline_birth($1.path), $1.path)
    }
    var starts: Set<Start> = []
    return sorted.filter {
      starts.insert(Start(process: $0.recording.process, time: $0.recording.startTime)).inserted
    }
  }
}
