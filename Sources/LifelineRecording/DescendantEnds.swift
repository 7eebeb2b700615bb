import CPtrace
import Glibc
import LifelineHeap
import LifelineTrace

/// Learns how recorded processes end for which others wait, such as the test processes of `swift test`.
///
/// The kernel (6.15 and later) tells it of a process to which a descriptor was opened in time. All calls come from one
/// thread.
final class DescendantEnds {
  /// Readable when files were created in the traces' folder; negative if the kernel does not tell.
  let listener: Int32
  private let folder: String
  private let session: UInt64
  private var descriptors: [pid_t: Int32] = [:]
  /// New files that may become traces, and how often they have been read.
  private var pending: [String: Int] = [:]

  private static let attempts = 50
  private static let limit = 512

  init(folder: String, session: UInt64) {
    self.folder = folder
    self.session = session
    listener = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    if listener >= 0 { inotify_add_watch(listener, folder, UInt32(IN_CREATE)) }
  }

  deinit {
    for descriptor in descriptors.values { close(descriptor) }
    if listener >= 0 { close(listener) }
  }

  /// Whether it will tell how a process ends.
  func knows(_ process: Int) -> Bool { pid_t(exactly: process).map { descriptors[$0] != nil } ?? false }

  /// Whether `serve` should be called again soon: a trace is being created.
  var isWaiting: Bool { !pending.isEmpty }

  /// Opens the processes of new traces.
  func serve() {
    var buffer = [UInt8](repeating: 0, count: 8192)
    while listener >= 0 {
      let count = read(listener, &buffer, buffer.count)
      if count <= 0 { break }
      note(buffer[..<count])
    }
    for (name, count) in pending {
      if open(name) || count >= Self.attempts { pending[name] = nil } else { pending[name] = count + 1 }
    }
  }

  /// struct inotify_event: descriptor, mask, cookie, length of the name, and the name, padded with zeros.
  private func note(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while rest.count >= 16 {
      let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
      let name = String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
      if !name.isEmpty, pending.count < Self.limit { pending[name] = 0 }
      rest = rest.dropFirst(16 + length)
    }
  }

  /// Whether it is certain what the file is.
  private func open(_ name: String) -> Bool {
    var status = stat()
    // Opening a pipe would wait.
    guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return true }
    guard let recording = try? Recording.read(path: "\(folder)/\(name)") else { return false }
    guard recording.session == session, let number = pid_t(exactly: recording.process), descriptors.count < Self.limit
    else { return true }
    let descriptor = lifeline_open_process(number)
    guard descriptor >= 0 else { return true }
    // The number may be that of another namespace.
    guard ProcessFile.text(of: "/proc/\(number)/maps").contains("/\(name)\n"), descriptors[number] == nil else {
      close(descriptor)
      return true
    }
    descriptors[number] = descriptor
    return true
  }

  /// The signal that ended a process; nil if none did, or if it is unknown.
  func signal(of process: Int) -> Recording.End? {
    guard let number = pid_t(exactly: process), let descriptor = descriptors[number] else { return nil }
    let status = lifeline_status_of_ended(descriptor)
    guard status >= 0, case .signal(let number) = ChildProcess.end(status) else { return nil }
    return .signal(number)
  }
}
