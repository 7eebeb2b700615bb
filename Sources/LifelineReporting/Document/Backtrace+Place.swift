import LifelineAnalysis
import LifelineLifetimes

extension Report.Backtrace {
  /// The first frame of hand-written code outside of the toolchain's libraries: the responsible one.
  public var responsible: Report.Frame? {
    frames.first { !$0.isSystem && !$0.isMadeByCompiler } ?? frames.first { !$0.isSystem } ?? frames.first
  }

  /// The first named frame outside of the runtime: the call site of a retain or release, even in a library, whose
  /// thunks are often nameless.
  public var site: Report.Frame? {
    let outside = frames.filter(\.isOutsideOfRuntime)
    return outside.first { $0.mangledName != nil || !$0.isSystem } ?? outside.first ?? frames.first
  }

  /// The location of the responsible function, "Master.swift:16"; if it has no line (like a compiler-generated
  /// allocating initializer), that of the nearest caller with a line, up to the next library.
  public var location: String? { locatedFrame?.location }

  /// `location`, or "near Master.swift:16" if that is the line of the code before; "called at Master.swift:16" if the
  /// responsible function has no line and this is its caller's.
  public var statedPlace: String? {
    guard let location else { return nil }
    let responsible = responsible
    guard let own = frames.firstIndex(where: { $0 == responsible }), let line = locatedFrame,
      let located = frames.firstIndex(of: line), located > own
    else { return locatedFrame?.statedLocation }
    return "called at \(location)"
  }

  /// The innermost frame of the program's own code, with its line if it has one.
  public var innermostOwnFrame: Report.Frame? { frames.first { !$0.isSystem } }

  /// Without the innermost frames up to the function that needed an object of a class: outside of the class's
  /// initializers.
  func beyondInitializers(of className: String) -> Self {
    let name = ObjectID(className: className, number: 1).shortClassName.prefix { $0 != "<" }
    let wanting = frames.firstIndex { frame in
      !frame.isSystem && !frame.function.hasPrefix("\(name).__allocating_init(")
        && !frame.function.hasPrefix("\(name).init(") && !frame.function.hasPrefix("__allocating_init(")
    }
    var backtrace = self
    backtrace.frames.removeFirst(wanting ?? 0)
    return backtrace
  }

  /// Without the innermost frames up to the function that set a property.
  var beyondSetters: Self {
    let sets: (Report.Frame) -> Bool = { frame in
      [".setter", ".modify", ".didset", ".willset"].contains { frame.function.hasSuffix($0) }
    }
    guard let responsible, sets(responsible),
      let setting = frames.firstIndex(where: { !$0.isSystem && !$0.isMadeByCompiler && !sets($0) })
    else { return self }
    var backtrace = self
    backtrace.frames.removeFirst(setting)
    return backtrace
  }

  /// The frame of `location`.
  public var locatedFrame: Report.Frame? {
    var rest = frames[...]
    while true {
      let own = rest.drop { $0.isSystem }.prefix { !$0.isSystem }
      if let located = own.first(where: { $0.line != nil && !$0.isMacroExpansion }) { return located }
      // The setter that @Observable writes stores in a closure, which a library calls; the runtime calls what the
      // compiler made to destroy a closure's captures.
      guard !own.isEmpty, own.allSatisfy({ $0.isSettersClosure || $0.isMadeByCompiler }) else { return nil }
      rest = frames[own.endIndex...]
    }
  }
}

extension Report.Finding {
  /// The frame to mark in the source: the first backtrace's, or the first with a location.
  public var primaryFrame: Report.Frame? {
    cutFrame
      ?? backtraces.lazy.compactMap { backtrace in
        let isAllocation = backtrace.role == Finding.Role.allocation.rawValue
        return (isAllocation ? backtrace.beyondInitializers(of: object.class) : backtrace).locatedFrame
      }.first { $0.file != nil }
  }
}

extension Report.Finding {
  /// For a leak, where the reference to remove is written.
  private var cutFrame: Report.Frame? {
    guard let step = path.first(where: { $0.isCut == true && ($0.location ?? $0.creation) != nil }) else { return nil }
    let isWritten = step.location != nil
    let (file, line) = isWritten ? (step.file, step.line) : (step.createdFile, step.createdLine)
    let known = backtraces.lazy.flatMap(\.frames).first { $0.file == file && $0.line == line }
    return known
      ?? Report.Frame(
        function: step.function ?? step.class, mangledName: nil, file: file, line: line, column: nil,
        image: "", offset: 0,
        isInlined: false, isSystem: false, isNear: isWritten ? step.isNear : nil)
  }
}

extension Report.Frame {
  /// Whether it is neither the runtime's nor Lifeline's, which only act for others.
  var isOutsideOfRuntime: Bool {
    !image.hasPrefix("libswiftCore.so") && !image.hasPrefix("libLifelineProbe.so")
      && !(mangledName?.hasPrefix("$s8Lifeline") ?? false)
  }

  /// Whether it is a thunk or helper, which depends on the optimization level, or macro-generated; or a deinit shared
  /// by several classes, any of which gave it its name.
  var isMadeByCompiler: Bool {
    isMacroExpansion || function.hasPrefix("merged ") && isDeinit
      || [
        "outlined ", "reabstraction thunk", "protocol witness for ", "vtable thunk for ", "lazy ", "type metadata ",
        "__swift_", "key path getter for ", "key path setter for ",
      ]
      .contains { function.hasPrefix($0) } || function.contains(" value witness for ")
      || function.hasPrefix("objectdestroy") || function.hasPrefix("block_destroy_helper")
      || function.hasPrefix("block_copy_helper") || function.hasSuffix(".$main()")
  }

  /// Whether it is a closure in a setter, or macro-generated.
  fileprivate var isSettersClosure: Bool {
    isMacroExpansion || function.contains("closure #") && function.hasSuffix(".setter")
  }

  /// Whether it is a deinit, or what frees the object after it.
  var isDeinit: Bool { function.hasSuffix(".deinit") || function.hasSuffix(".__deallocating_deinit") }

  /// "Master.swift:16", or nil if no line is known.
  public var location: String? {
    guard let file, let line else { return nil }
    return "\(file.split(separator: "/").last ?? ""):\(line)"
  }

  /// `location`, or "near Master.swift:16" if that is the line of the code before.
  var statedLocation: String? { location.map { isNear == true ? "near \($0)" : $0 } }
}
