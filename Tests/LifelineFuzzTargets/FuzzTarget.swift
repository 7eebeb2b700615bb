import CProbeOptions
import Foundation
import LifelineAnalysis
import LifelineCompaction
import LifelineGate
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Synchronization

/// One reader of arbitrary input, which it must read or reject with an error of its own.
///
/// Anything else ends the process, which is what a fuzzer looks for.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case trace, ring, diagnosis, report, export, compact, tail, heap, elf, dwarf, reflection, names, options, contracts,
    baselines, suppressions, rules

  /// Whether the target edits an ELF file, which `read` then needs.
  public var needsBase: Bool { [.elf, .dwarf, .reflection].contains(self) }

  /// Reads one input.
  public func read(_ bytes: [UInt8], base: ElfBase? = nil) {
    switch self {
    case .trace: Self.readFile(Self.traceFile, bytes) { try Self.readTrace(Trace(opening: $0)) }
    case .ring:
      Self.readFile(Self.ringFile, bytes) { path in
        try Self.readTrace(Trace(opening: path))
        _ = try Self.rendered(path)
      }
    case .diagnosis:
      Self.readFile(Self.diagnosisFile, bytes) {
        _ = try Diagnosis(Trace(opening: $0), names: AddressNames(), rules: Self.builtInRules)
      }
    case .report: Self.readFile(Self.reportFile, bytes) { try Self.rendered($0).reportAll() }
    case .export:
      Self.readFile(Self.exportFile, bytes) { path in
        let trace = try Self.rendered(path)
        try NamelessFile.withEmpty(trace.exportAll)
      }
    case .compact:
      var file = CompactTrace.bytes
      Edits(bytes: bytes).apply(to: &file, in: [0..<file.count])
      TraceBuilder.reseal(compact: &file)
      Self.withFile(file) { try Self.readTrace(Trace(opening: $0)) }
    case .tail: Self.readFile(Self.tailFile, bytes, Self.readTail)
    case .heap:
      Self.withFile(SampleTrace.bytes(heap: bytes)) { _ = try Self.rendered($0) }
    case .elf: readImage(bytes, base, base?.frame)
    case .dwarf: readImage(bytes, base, base?.debugInformation)
    case .reflection: readImage(bytes, base, base?.reflection)
    case .names:
      let text = String(decoding: bytes, as: UTF8.self)
      var demangler = Demangler()
      _ = demangler.shortName(text)
      _ = demangler.shortName("$s4main" + text)
    case .options:
      (bytes + [0]).withUnsafeBufferPointer {
        $0.withMemoryRebound(to: CChar.self) { probe_options_read($0.baseAddress) }
      }
    case .contracts: _ = try? ContractList(String(decoding: bytes, as: UTF8.self), file: "input")
    case .baselines: _ = (try? Baseline(String(decoding: bytes, as: UTF8.self), file: "input"))?.text
    case .suppressions:
      _ = try? SuppressionList(
        String(decoding: bytes, as: UTF8.self), file: "input", kinds: ["leak", "late-deallocation"])
    case .rules: _ = try? HoldRules(adding: Data(bytes), name: "input")
    }
  }

  private static let traceFile = Mutex(EditedFile(SampleTrace.bytes, ranges: SampleTrace.ranges))
  private static let ringFile = Mutex(EditedFile(SampleTrace.ring, ranges: SampleTrace.ranges))
  private static let diagnosisFile = Mutex(EditedFile(SampleTrace.bytes, ranges: SampleTrace.ranges))
  private static let reportFile = Mutex(EditedFile(SampleTrace.bytes, ranges: SampleTrace.ranges))
  private static let exportFile = Mutex(EditedFile(SampleTrace.bytes, ranges: SampleTrace.ranges))
  private static let tailFile = Mutex(EditedFile(SampleTrace.bytes, ranges: SampleTrace.ranges))

  private static func readFile(
    _ file: borrowing Mutex<EditedFile>, _ edits: [UInt8], _ body: (String) throws -> Void
  ) {
    file.withLock { file in
      expected { try file.read(edits, reseal: { TraceBuilder.reseal(&$0) }, body) }
    }
  }

  private static func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) {
    expected { try NamelessFile.with(bytes, body) }
  }

  private static func expected(_ body: () throws -> Void) {
    do { try body() } catch is TraceError {} catch { fatalError("not an error of the reader: \(error)") }
  }

  private static let builtInRules = HoldRules()

  private static func rendered(_ path: String) throws -> RenderedTrace {
    try RenderedTrace(path, rules: builtInRules)
  }

  private static func readTail(_ path: String) throws {
    let tail = try TraceTail(path: path)
    try tail.look()
    while try !tail.read(chunks: 1, { _, _ in }) {}
    _ = tail.problems
  }

  /// All events, and the histories of two objects.
  private static func readTrace(_ trace: Trace) throws {
    let summary = try LifetimeSummary(trace)
    var ids = Set(summary.tracker.liveObjects.prefix(1).map(summary.tracker.id))
    ids.formUnion((try? ObjectQuery("0x5040").resolve(in: trace, summary)) ?? [])
    var reader = HistoryReader(trace)
    _ = try reader.histories(of: ids)
    _ = trace.problems
  }

  private func readImage(_ bytes: [UInt8], _ base: ElfBase?, _ ranges: [Range<Int>]?) {
    guard let base, let ranges else { fatalError("\(rawValue) needs an ELF file") }
    var file = base.bytes
    Edits(bytes: bytes).apply(to: &file, in: ranges)
    Self.withFile(file) { path in
      let bias: UInt64 = 0x100000
      let symbolicator = Symbolicator(images: [
        SymbolicationImage(
          path: path, loadBias: bias, addresses: bias..<bias + UInt64(file.count) * 2, buildID: [], isSystem: false)
      ])
      switch self {
      case .dwarf:
        for offset in stride(from: base.code.lowerBound, to: base.code.upperBound, by: 96) {
          let address = bias + UInt64(offset)
          _ = symbolicator.frames(at: address)
          if let symbol = symbolicator.symbol(at: address) {
            _ = symbolicator.declaration(of: symbol.name, at: address)
          }
        }
      case .reflection:
        _ = symbolicator.storedProperties()
        _ = symbolicator.superclasses()
        _ = symbolicator.variableTypes()
        _ = symbolicator.boxedTypes()
        _ = symbolicator.mayConform("base.Session", to: ["base.Delegate"])
      default:
        for offset in stride(from: base.code.lowerBound, to: base.code.upperBound, by: 1024) {
          _ = symbolicator.frames(at: bias + UInt64(offset))
        }
        _ = symbolicator.storedProperties()
      }
      _ = symbolicator.problems
    }
  }
}
