import Glibc
import LifelineHeap
import LifelineTrace

/// A running process to be recorded, and obstacles to that.
struct TargetProcess {
  let process: pid_t
  let regions: [MemoryRegion]
  let images: [ProcessImage]

  /// - Throws: `AttachError` if it cannot be recorded.
  init(_ number: Int) throws {
    guard number > 0, let process = pid_t(exactly: number), kill(process, 0) == 0 || errno != ESRCH else {
      throw AttachError("There is no process \(number).")
    }
    self.process = process
    guard process != getpid() else { throw AttachError("lifeline cannot record itself.") }
    let status = Self.status(process)
    try Self.check(process, status)
    if Self.link("/proc/\(process)/exe") == nil, errno == ENOENT {
      // A process that is ending has no program any more, either. Kernel threads are children of the second process.
      guard process == 2 || status["PPid"] == "2" else { throw AttachError("Process \(process) has ended.") }
      throw AttachError("Process \(process) is a kernel thread.", isNotSwift: true)
    }
    regions = ProcessMaps.regions(of: number)
    images = ProcessImage.images(of: number)
    do {
      try Self.checkNamespaces(process)
      guard !regions.isEmpty else { throw Self.refused(process) }
      try Self.checkProgram(process, regions)
    } catch {
      // What cannot be read may be that of a process that has ended meanwhile.
      if let end = Self.end(of: process) { throw end }
      throw error
    }
  }

  /// Why a process that was there cannot be attached to any more; nil if it can.
  static func end(of process: pid_t) -> AttachError? {
    let status = status(process)
    return status.isEmpty ? AttachError("Process \(process) has ended.") : end(process, status)
  }

  private static func end(_ process: pid_t, _ status: [Substring: Substring]) -> AttachError? {
    switch status["State"]?.first {
    case nil: AttachError("There is no process \(process).")
    case "Z" where Int(status["Threads"] ?? "") ?? 0 > 1:
      AttachError("The main thread of process \(process) has ended, and lifeline needs it to attach.")
    case "Z", "X": AttachError("Process \(process) has ended.")
    default: nil
    }
  }

  private static func status(_ process: pid_t) -> [Substring: Substring] {
    var fields: [Substring: Substring] = [:]
    for line in ProcessFile.lines(of: "/proc/\(process)/status") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon]] = line[line.index(after: colon)...].drop { $0 == "\t" || $0 == " " }
    }
    return fields
  }

  private static func check(_ process: pid_t, _ status: [Substring: Substring]) throws {
    if let group = status["Tgid"].flatMap({ Int($0) }), group != Int(process) {
      throw AttachError("\(process) is a thread of process \(group); name the process.")
    }
    if let end = end(process, status) { throw end }
    if status["State"]?.first == "T" {
      throw AttachError("Process \(process) is stopped; continue it with 'kill -CONT \(process)' first.")
    }
    if let tracer = status["TracerPid"].flatMap({ Int($0) }), tracer != 0 {
      let name = ProcessFile.lines(of: "/proc/\(tracer)/comm").first.map { " (\($0))" } ?? ""
      throw AttachError(
        "Process \(process) is traced by process \(tracer)\(name), and the kernel allows only one tracer; "
          + "end that one first."
      )
    }
    if status["Seccomp"] == "1" {
      throw AttachError("Process \(process) runs in strict seccomp mode, which allows no further system call.")
    }
  }

  private static func checkNamespaces(_ process: pid_t) throws {
    for (name, text) in [("pid", "PID"), ("mnt", "mount")] {
      guard let theirs = link("/proc/\(process)/ns/\(name)") else { throw refused(process) }
      if theirs != link("/proc/self/ns/\(name)") {
        throw AttachError(
          "Process \(process) runs in another \(text) namespace, as in a container; run lifeline inside it, "
            + "with the same process's number there."
        )
      }
    }
  }

  private static func checkProgram(_ process: pid_t, _ regions: [MemoryRegion]) throws {
    let program = link("/proc/\(process)/exe") ?? "its program"
    let name = { (path: String) in path.split(separator: "/").last ?? "" }
    let hasRuntime = SwiftRuntime.isLoaded(regions)
    let hasLinker = regions.contains { name($0.path).hasPrefix("ld-") }
    guard let file = ProgramFile(path: "/proc/\(process)/exe") else {
      throw AttachError(
        "Process \(process) is not a Swift program: \(program) is not a readable executable.", isNotSwift: true)
    }
    guard hasRuntime || file.runtime == .inside || file.runtime == .insideStripped else {
      throw AttachError(
        "Process \(process) (\(program)) is not a Swift program: it has no Swift runtime.", isNotSwift: true)
    }
    guard file.isNative else {
      throw AttachError(
        "Process \(process) (\(program)) is for another processor or word size; the probe is for 64-bit x86.")
    }
    guard hasLinker else {
      throw AttachError("Process \(process) (\(program)) is a static executable: no library can be loaded into it.")
    }
    guard hasRuntime || file.runtime == .inside else {
      throw AttachError(
        "Process \(process) (\(program)) has the Swift runtime linked in and its symbol table stripped, "
          + "so the runtime's entry points cannot be found."
      )
    }
  }

  /// Why the kernel denies access to it.
  static func refused(_ process: pid_t) -> AttachError {
    var status = stat()
    let owner = stat("/proc/\(process)", &status) == 0 ? status.st_uid : geteuid()
    if owner != geteuid(), geteuid() != 0 {
      let name = getpwuid(owner).map { String(cString: $0.pointee.pw_name) } ?? "\(owner)"
      return AttachError("Process \(process) belongs to \(name); run lifeline as that user, or as root.")
    }
    switch ProcessFile.lines(of: "/proc/sys/kernel/yama/ptrace_scope").first.flatMap({ Int($0) }) {
    case 3:
      return AttachError(
        "The kernel forbids all inspection of other processes (kernel.yama.ptrace_scope is 3) until the next boot "
          + "with a lower value."
      )
    case 1 where geteuid() != 0, 2 where geteuid() != 0:
      return AttachError(
        "The kernel permits this only to root; use sudo, or set 'sysctl kernel.yama.ptrace_scope=0'.")
    default:
      return AttachError(
        "The kernel denies access to process \(process): it may be protected (no core dumps, higher privileges), "
          + "or this container lacks CAP_SYS_PTRACE; add it with '--cap-add SYS_PTRACE'."
      )
    }
  }

  static func link(_ path: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4097) { buffer in
      let length = readlink(path, buffer.baseAddress!, 4096)
      guard length >= 0 else { return nil }
      buffer[length] = 0
      return String(cString: buffer.baseAddress!)
    }
  }

  var threads: [Int] { ProcessFile.numbers(in: "/proc/\(process)/task") }

  /// A library of the process, by the start of its file name.
  func library(_ name: String) -> ProcessImage? {
    images.first { $0.path.split(separator: "/").last?.hasPrefix(name) == true }
  }

  /// The trace that the process is writing: the file header stays mapped as long as it records.
  var trace: String? { Self.trace(of: Int(process)) }

  static func trace(of process: Int) -> String? {
    var seen: Set<String> = []
    for region in ProcessMaps.regions(of: process)
    where region.isShared && region.isWritable && region.path.hasPrefix("/") {
      guard seen.insert(region.path).inserted, let recording = try? Recording.read(path: region.path),
        recording.process == process, recording.state == .recording
      else { continue }
      return region.path
    }
    return nil
  }
}
