import LifelineAnalysis
import LifelineSymbolication
import LifelineTrace

/// Names for the addresses of one trace.
public final class Names: CodeNaming {
  let trace: Trace
  let symbolicator: Symbolicator

  /// `files` locates images that are not where the process had them.
  public init(_ trace: Trace, files: SymbolFiles = SymbolFiles()) {
    self.trace = trace
    symbolicator = Symbolicator(
      images: trace.tables.images.map {
        SymbolicationImage(
          path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: $0.buildID, isSystem: $0.isSystem)
      }, files: files)
  }

  /// Sentences about images whose files cannot be used.
  public var problems: [String] { symbolicator.problems }
  /// The first about an image of the program's own; nil if all names are known.
  public var ownProblem: String? { symbolicator.ownProblem }

  /// The backtrace of an event, with the task and the queue that its thread was running.
  public func backtrace(_ sites: [BacktraceEntry], role: String, of event: Event) -> Report.Backtrace {
    var backtrace = backtrace(sites, role: role, thread: event.thread, event: event.sequence)
    if event.task != 0 { backtrace.task = event.task }
    backtrace.queue = queue(of: event)
    return backtrace
  }

  /// Label of the serial queue whose code ran at an event; that the main thread runs the main queue's is no news.
  func queue(of event: Event) -> String? {
    trace.isMainQueue(event.queue) && trace.isMainThread(event.thread) ? nil : trace.queueLabel(event.queue)
  }

  /// The frames of a backtrace, innermost first, including inlined ones.
  public func backtrace(_ sites: [BacktraceEntry], role: String, thread: UInt32, event: UInt64) -> Report.Backtrace {
    var frames: [Report.Frame] = []
    var extent = "complete"
    for site in sites {
      if site.isTruncation { extent = "truncated" }
      if site.isGap || site.isAsyncGap { extent = "incomplete" }
      guard site.isFrame else { continue }
      // The recorder's own functions that release an object in the program's place.
      frames += symbolicator.frames(at: site.lookupAddress).filter { $0.image != "libLifelineProbe.so" }.map { frame in
        var entry = Report.Frame(frame)
        if site.isAsync { entry.isAsync = true }
        return entry
      }
    }
    return Report.Backtrace(
      role: role, thread: name(thread: thread), event: event, frames: frames, extent: extent,
      lacksAsyncCallers: sites.contains(where: \.isAsyncGap) ? true : nil)
  }

  public func name(thread: UInt32) -> String {
    let name = trace.tables.threads[Int(thread)]?.name ?? ""
    // By default the kernel names threads after the program, in at most 15 bytes, which is not informative.
    let program = trace.tables.programPath.split(separator: "/").last ?? ""
    if trace.isMainThread(thread) {
      return program.utf8.starts(with: name.utf8) ? "main thread" : "main thread (\(name))"
    }
    let isInherited = name.utf8.elementsEqual(program.utf8.prefix(15))
    return name.isEmpty || isInherited ? "thread \(thread)" : "thread \(thread) (\(name))"
  }

  public private(set) lazy var storedProperties = symbolicator.storedProperties()
  public private(set) lazy var observedProperties = symbolicator.observedProperties()
  public private(set) lazy var testFunctions = symbolicator.testFunctions()
  public private(set) lazy var superclasses = symbolicator.superclasses()
  public private(set) lazy var variableTypes = symbolicator.variableTypes()
  public private(set) lazy var superclassArguments = symbolicator.superclassArguments()
  public private(set) lazy var uncountedCaptures = symbolicator.uncountedCaptures()
  public private(set) lazy var referringValues = symbolicator.referringValues()

  private(set) lazy var sharedDeinits = SharedDeinits(
    classes: trace.tables.classes.values.map(\.name) + storedProperties.keys, superclasses: superclasses)

  public func mayConform(_ className: String, to protocols: Set<String>) -> Bool {
    symbolicator.mayConform(className, to: protocols)
  }

  public func isDeinitWritten(_ className: String) -> Bool? { symbolicator.isDeinitWritten(className) }

  public func callsInDeinit(of className: String) -> DeinitCalls? { symbolicator.callsInDeinit(of: className) }

  public func isOptimized(_ site: BacktraceEntry) -> Bool? { symbolicator.isOptimized(at: site.lookupAddress) }

  public func mayEndBox(_ site: BacktraceEntry) -> Bool { symbolicator.mayEndBox(at: site.lookupAddress) }

  public func referenceMove(_ site: BacktraceEntry) -> ReferenceMove? {
    symbolicator.referenceMove(at: site.lookupAddress)
  }

  public func line(ofClosureAt address: UInt64) -> Int? { symbolicator.closure(at: address)?.line }

  public func frames(of sites: [BacktraceEntry]) -> [CodeFrame] {
    sites.filter(\.isFrame).flatMap { symbolicator.frames(at: $0.lookupAddress) }.map {
      CodeFrame(
        function: $0.function, mangledName: $0.mangledName, image: $0.image, isSystem: $0.isSystem, line: $0.line,
        isNear: $0.isNear)
    }
  }

  public func functionIdentity(of site: BacktraceEntry) -> UInt64 {
    guard let frame = symbolicator.frames(at: site.lookupAddress).last else { return site.address }
    // To the linker, the parts of an asynchronous function between its suspensions are separate functions.
    if let part = frame.mangledName.map(AsynchronousPart.init), part.isAsynchronous {
      return FNV1a(part.function).value
    }
    return frame.functionStart
      ^ UInt64(truncatingIfNeeded: frame.image.utf8.reduce(0) { ($0 &* 31) &+ UInt64($1) } << 40)
  }

  /// The function that begins or resumes at an address; nil if unknown.
  func frame(ofCode address: UInt64) -> Report.Frame? { symbolicator.frames(at: address).last.map(Report.Frame.init) }

  /// The function at an address, which a message was meant for.
  public func function(at address: UInt64) -> String? {
    guard address != 0, let symbol = symbol(at: address) else { return nil }
    return symbolicator.shortName(symbol)
  }

  /// The mangled name of the function or variable that covers an address.
  public func symbol(at address: UInt64) -> String? { symbolicator.symbol(at: address)?.name }
}

extension Report.Frame {
  init(_ frame: SymbolicatedFrame) {
    // The debug information of code that nobody wrote names no file.
    let isWritten = frame.file.map { !$0.hasSuffix("<compiler-generated>") } ?? true
    self.init(
      function: frame.function, mangledName: frame.mangledName, file: isWritten ? frame.file : nil,
      line: isWritten ? frame.line : nil, column: isWritten ? frame.column : nil,
      image: frame.image, offset: frame.offset, isInlined: frame.isInlined,
      isSystem: frame.isSystem, isNear: isWritten && frame.isNear ? true : nil)
  }
}
