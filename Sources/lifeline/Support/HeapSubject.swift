import Glibc
import LifelineCompaction
import LifelineHeap
import LifelineRecording
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// What `leaks` and `why` look at: a trace, or a running process by its number.
struct HeapSubject {
  let snapshot: HeapSnapshot
  let symbolicator: Symbolicator
  /// Nil for a process.
  let trace: Trace?

  /// - Throws: `TraceError` when there is neither such a file nor such a process.
  init(_ text: String, files: SymbolFiles) throws {
    if let process = Int(text), process > 0, access(text, F_OK) != 0 {
      trace = nil
      symbolicator = Symbolicator(
        images: ProcessImage.images(of: process).map {
          SymbolicationImage(
            path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: [], isSystem: $0.isSystem)
        }, files: files)
      snapshot = ProcessSnapshot.take(of: process, idle: IdleThreads.outermostFrames)
    } else {
      let trace = try Trace(opening: text)
      self.trace = trace
      symbolicator = Symbolicator(
        images: trace.tables.images.map {
          SymbolicationImage(
            path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: $0.buildID, isSystem: $0.isSystem)
        }, files: files)
      snapshot = try HeapSnapshotReader(trace).snapshot()
    }
  }

  var refusal: String? { snapshot.refusal.map { "Reachability was not examined: \($0)." } }
}
