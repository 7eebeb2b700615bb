import CElfutils
import Glibc

/// Reads the frames of a stopped thread from the unwind tables of its libraries.
///
/// All calls must come from the thread that stopped it.
final class FrameReader {
  struct Frame: Equatable {
    /// Where it resumes.
    let address: UInt64
    /// Whether it is at this address, rather than returning to it.
    let isExact: Bool
    /// An address inside the current instruction.
    var place: UInt64 { isExact ? address : address - 1 }
  }

  private let session: OpaquePointer
  private static let limit = 512

  /// Created once and never changed.
  private nonisolated(unsafe) static let callbacks: UnsafePointer<Dwfl_Callbacks> = {
    let callbacks = UnsafeMutablePointer<Dwfl_Callbacks>.allocate(capacity: 1)
    callbacks.initialize(to: Dwfl_Callbacks())
    callbacks.pointee.find_elf = { dwfl_linux_proc_find_elf($0, $1, $2, $3, $4, $5) }
    // Debug information would not help with frames, and searching for it is slow.
    callbacks.pointee.find_debuginfo = { _, _, _, _, _, _, _, _ in -1 }
    return UnsafePointer(callbacks)
  }()

  /// Nil if the process is gone or may not be examined.
  init?(_ process: pid_t) {
    guard let session = dwfl_begin(Self.callbacks) else { return nil }
    self.session = session
    guard dwfl_linux_proc_report(session, process) == 0, dwfl_report_end(session, nil, nil) == 0,
      dwfl_linux_proc_attach(session, process, true) == 0
    else {
      dwfl_end(session)
      return nil
    }
  }

  deinit { dwfl_end(session) }

  /// The last path component of the file mapped at an address; "" if there is none.
  func image(at address: UInt64) -> String {
    guard let module = dwfl_addrmodule(session, address),
      let name = dwfl_module_info(module, nil, nil, nil, nil, nil, nil, nil)
    else { return "" }
    return String(cString: name).split(separator: "/").last.map(String.init) ?? ""
  }

  /// The frames of a thread, innermost first, and whether they are complete to the outermost: swiftc writes no unwind
  /// table for some optimized code.
  func frames(of thread: pid_t) -> (frames: [Frame], areAll: Bool) {
    var frames: [Frame] = []
    let result = withUnsafeMutablePointer(to: &frames) { frames in
      dwfl_getthread_frames(
        session, thread,
        { state, argument in
          let frames = argument!.assumingMemoryBound(to: [Frame].self)
          var address: UInt64 = 0
          var isExact = false
          guard let state, dwfl_frame_pc(state, &address, &isExact), frames.pointee.count < FrameReader.limit else {
            return -1
          }
          frames.pointee.append(Frame(address: address, isExact: isExact))
          return 0
        }, frames)
    }
    return (frames, result == 0)
  }
}
