import Dispatch
import Glibc
import Synchronization

/// Asks the servers of DEBUGINFOD_URLS for files by build ID, with elfutils' own client (debuginfod(8)), which keeps
/// what it got in its cache and is loaded only when it is asked.
final class DebuginfodClient {
  enum Kind: String {
    case executable = "debuginfod_find_executable"
    case debugInformation = "debuginfod_find_debuginfo"
  }

  private typealias Begin = @convention(c) () -> OpaquePointer?
  private typealias End = @convention(c) (OpaquePointer) -> Void
  private typealias Find =
    @convention(c) (
      OpaquePointer, UnsafePointer<UInt8>?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> CInt

  /// Why no server can be asked, as a sentence; nil before the first request.
  private(set) var problem: String?
  /// Told once, when an answer has been waited for for a second.
  private let onWait: @Sendable () -> Void
  private let library = "libdebuginfod.so.1"
  private lazy var handle = dlopen(library, RTLD_NOW | RTLD_LOCAL)
  private lazy var client = function("debuginfod_begin", Begin.self)?()

  init(onWait: @escaping @Sendable () -> Void) {
    let wasTold = Mutex(false)
    self.onWait = {
      let isFirst = wasTold.withLock { told in
        defer { told = true }
        return !told
      }
      if isFirst { onWait() }
    }
  }

  deinit {
    // Not `client`: it would load the library to end nothing.
    if let begun { function("debuginfod_end", End.self)?(begun) }
  }

  private var begun: OpaquePointer?

  /// The path of a file in the client's cache, or nil when no server has it.
  func find(_ kind: Kind, buildID: [UInt8]) -> String? {
    guard let client, let find = function(kind.rawValue, Find.self) else {
      problem = "DEBUGINFOD_URLS is set, but \(library) cannot be loaded: install libdebuginfod1 (elfutils)."
      return nil
    }
    begun = client
    let patience = DispatchWorkItem(block: onWait)
    DispatchQueue.global().asyncAfter(deadline: .now() + 1, execute: patience)
    defer { patience.cancel() }
    var path: UnsafeMutablePointer<CChar>?
    let descriptor = find(client, buildID, CInt(buildID.count), &path)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    defer { free(path) }
    return path.map { String(cString: $0) }
  }

  private func function<Function>(_ name: String, _ type: Function.Type) -> Function? {
    guard let handle, let address = dlsym(handle, name) else { return nil }
    return unsafeBitCast(address, to: type)
  }
}
