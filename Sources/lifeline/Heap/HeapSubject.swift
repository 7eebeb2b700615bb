import Glibc
import LifelineAnalysis
import LifelineCompaction
import LifelineHeap
import LifelineRecording
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// The subject of `leaks` and `why`: a trace, or a running process by ID.
struct HeapSubject {
  let snapshot: HeapSnapshot
  let symbolicator: Symbolicator
  /// Nil for a process.
  let trace: Trace?
  private let process: Int?

  /// - Throws: `TraceError` if there is neither such a file nor such a process.
  init(_ text: String, files: SymbolFiles) throws {
    let seen: HeapSnapshot
    let symbolicator: Symbolicator
    if let process = Int(text), process > 0, access(text, F_OK) != 0 {
      trace = nil
      self.process = process
      symbolicator = Symbolicator(
        images: ProcessImage.images(of: process).map {
          SymbolicationImage(
            path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: [], isSystem: $0.isSystem)
        }, files: files)
      seen = ProcessSnapshot.take(
        of: process, recorder: RecorderMemory.init(of:), idle: IdleThreads.outermostFrames
      ) { $0.readTypeNames() }
    } else {
      let trace = try Trace(opening: text)
      self.trace = trace
      process = nil
      symbolicator = Symbolicator(
        images: trace.tables.images.map {
          SymbolicationImage(
            path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: $0.buildID, isSystem: $0.isSystem)
        }, files: files)
      seen = try HeapSnapshotReader(trace).snapshot()
    }
    self.symbolicator = symbolicator
    let whole = seen.keepingMainTask { symbolicator.symbol(at: $0)?.name }
      .namingObserved(symbolicator.observedProperties(), superclasses: symbolicator.superclasses())
    snapshot =
      try trace.map { try whole.keepingLastingVariables($0, names: Names($0, files: files)) }
      ?? whole.keepingMainVariables().keepingRunningVariables {
        // The C library's part of the program has no variables of Swift's, nor debug information.
        symbolicator.symbol(at: $0)?.name == "_start" ? false : symbolicator.isOptimized(at: $0)
      }
  }

  var refusal: String? { reason.map { "Reachability was not examined: \($0)." } }

  /// A process without the runtime has no objects to search for, which is not the same as having no leak.
  private var reason: String? {
    if let refusal = snapshot.refusal { return refusal }
    guard let process, !snapshot.graph.types.contains(where: { $0.kind == .object }) else { return nil }
    return SwiftRuntime.isMissing(in: process) ? "process \(process) is not a Swift program" : nil
  }
}
