import CLifelineFormat
import Dispatch
import Glibc
import LifelineHeap

/// Examines the memory of ending processes that request it, over a socket in a folder of its own.
///
/// All calls except those of the analysis come from one thread, which is also the one that waits for the child.
final class HeapExaminer {
  /// The socket's path.
  let path: String
  let listener: Int32
  private let folder: String
  private let queue = DispatchQueue(label: "lifeline.heap")
  private let results = Results()

  /// Snapshots by trace path; used only by the queue, and read when it is idle.
  private final class Results: @unchecked Sendable {
    var snapshots: [String: HeapSnapshot] = [:]
  }

  /// Nil if no socket can be created; then nothing is examined.
  init?() {
    var template = Array("/tmp/lifeline-XXXXXX\0".utf8CString)
    guard let made = mkdtemp(&template) else { return nil }
    folder = String(cString: made)
    path = "\(folder)/heap"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard listener >= 0, isBound, listen(listener, 64) == 0, fcntl(listener, F_SETFL, O_NONBLOCK) == 0 else {
      return nil
    }
  }

  deinit {
    if listener >= 0 { close(listener) }
    unlink(path)
    rmdir(folder)
  }

  /// Answers all pending requests.
  func serveWaiting() { while serve() {} }

  /// Answers one process; false if none waits.
  @discardableResult
  func serve() -> Bool {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return false }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    // Closing is the answer: the process continues.
    defer { close(connection) }
    // The request was sent in one piece; an incomplete request must not block the others.
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard let request = ExaminationRequest(connection) else { return true }
    RunningThreads.waitUntilAsleep(of: request.process, but: request.recorder.thread)
    let end = MainReturn(request)
    do {
      nonisolated(unsafe) var memory = try ProcessSnapshot.memory(
        of: request.process, recorder: { _ in request.recorder }, idle: IdleThreads.outermostFrames)
      let results = results
      queue.async {
        if end?.isCertain == true { memory.returnFromMain() }
        memory.readTypeNames()
        results.snapshots[request.recorder.trace] = HeapSnapshot(process: request.process, memory: memory)
      }
    } catch {
      let snapshot = HeapSnapshot(process: request.process, refusal: "\(error)")
      let results = results
      queue.async { results.snapshots[request.recorder.trace] = snapshot }
    }
    return true
  }

  /// The snapshots by trace path; waits until the analysis is done.
  func snapshots() -> [String: HeapSnapshot] { queue.sync { results.snapshots } }
}
