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
    case .trace: readEdited(bytes, Self.sample) { try Self.readTrace(Trace(opening: $0)) }
    case .ring:
      readEdited(bytes, Self.ring) { path in
        try Self.readTrace(Trace(opening: path))
        _ = try Self.rendered(path)
      }
    case .diagnosis:
      readEdited(bytes, Self.sample) {
        _ = try Diagnosis(Trace(opening: $0), names: AddressNames(), rules: Self.builtInRules)
      }
    case .report: readEdited(bytes, Self.sample) { try Self.rendered($0).reportAll() }
    case .export:
      readEdited(bytes, Self.sample) { path in
        let trace = try Self.rendered(path)
        try NamelessFile.withEmpty(trace.exportAll)
      }
    case .compact: readEdited(bytes, Self.compactSample) { try Self.readTrace(Trace(opening: $0)) }
    case .tail: readEdited(bytes, Self.sample, Self.readTail)
    case .heap:
      Self.expected { try NamelessFile.with(SampleTrace.bytes(heap: bytes)) { _ = try Self.rendered($0) } }
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

  /// The files that inputs edit.
  private static let files = Mutex<[FuzzTarget: EditedFile]>([:])

  private func readEdited(_ edits: [UInt8], _ make: () -> EditedFile, _ body: (String) throws -> Void) {
    let known = Self.files.withLock { $0[self] }
    let file = known ?? make()
    if known == nil { Self.files.withLock { $0[self] = file } }
    Self.expected { try file.read(edits, body) }
  }

  private static func sample() -> EditedFile { edited(SampleTrace.bytes) }
  private static func ring() -> EditedFile { edited(SampleTrace.ring) }

  private static func edited(_ trace: [UInt8]) -> EditedFile {
    EditedFile(trace, ranges: SampleTrace.ranges) { TraceBuilder.reseal(&$0, chunkSize: SampleTrace.chunkSize) }
  }

  private static func compactSample() -> EditedFile {
    let bytes = CompactTrace.bytes
    return EditedFile(bytes, ranges: [0..<bytes.count]) { TraceBuilder.reseal(compact: &$0) }
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
    readEdited(bytes, { EditedFile(base.bytes, ranges: ranges) }) { path in
      let bias: UInt64 = 0x100000
      let symbolicator = Symbolicator(images: [
        SymbolicationImage(
          path: path, loadBias: bias, addresses: bias..<bias + UInt64(base.bytes.count) * 2, buildID: [],
          isSystem: false)
      ])
      switch self {
      case .dwarf:
        for address in Self.someAddresses(base.code, bytes, bias) {
          _ = symbolicator.frames(at: address)
          if let symbol = symbolicator.symbol(at: address) {
            _ = symbolicator.declaration(of: symbol.name, at: address)
          }
        }
      case .reflection:
        _ = symbolicator.storedProperties()
        _ = symbolicator.superclasses()
        _ = symbolicator.superclassArguments()
        _ = symbolicator.variableTypes()
        for address in Self.someAddresses(base.code, bytes, bias) { _ = symbolicator.mayEndBox(at: address) }
        _ = symbolicator.mayConform("base.Session", to: ["base.Delegate"])
      default:
        for address in Self.someAddresses(base.code, bytes, bias) { _ = symbolicator.frames(at: address) }
      }
      _ = symbolicator.problems
    }
  }

  /// Three addresses of the code, others for other inputs: to look up all would take longer than to read the file.
  private static func someAddresses(_ code: Range<Int>, _ input: [UInt8], _ bias: UInt64) -> [UInt64] {
    let step = code.count / 3
    guard step > 0 else { return [] }
    let first = input.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFFFF
    return (0..<3).map { bias + UInt64(code.lowerBound + $0 * step + first % step) }
  }
}
