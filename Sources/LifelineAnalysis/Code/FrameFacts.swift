/// What the analysis needs to know about one function in a backtrace, determined once for each address.
struct FrameFacts {
  let frame: CodeFrame
  let name: ParsedFunctionName
  /// Whether it acts for others: a library of the toolchain or system, even if its code was inlined.
  let isLibrary: Bool
  /// The rules that match the function as their activity, one bit each.
  let rules: UInt64
  /// Whether it is the deinit of what the program may store as well as such an activity.
  let isItemEnd: Bool
  /// Whether it is a setter of such a type, or runs one: what it takes and releases is the caller's own doing, if the
  /// program calls it.
  let isItemCall: Bool
  /// Whether it is a standard library function, which may have been inlined into the program and keeps nothing itself.
  let isStandard: Bool
  /// Whether it is a function of the Lifeline library, linked into the program, which acts for its caller.
  private let isHarness: Bool

  /// The modules of the toolchain; their functions act for the program's even if they were inlined into it.
  private static let libraryModules: Set = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
    "FoundationXML",
    "Dispatch", "_Concurrency", "Synchronization", "Observation", "_StringProcessing", "RegexBuilder", "XCTest",
    "Testing",
  ]

  /// A method that waits for an operation may release what the queue had.
  private static let itemRuns = [".start()", ".main()", ".perform()"]

  init(_ frame: CodeFrame, _ rules: HoldRules) {
    self.frame = frame
    name = ParsedFunctionName(frame.function)
    // A rule may match all functions of a class; its deinit releases what it stored, like any other.
    let isDeinit = name.role == .deinitializer && !frame.isSystem
    let matching = rules.rules.enumerated().reduce(0 as UInt64) {
      !isDeinit && $1.element.matches(frame) ? $0 | 1 << UInt64($1.offset) : $0
    }
    self.rules = matching
    let (role, type) = (name.role, name.typeName)
    let isOfItem = rules.rules.enumerated().contains { index, rule in
      matching & 1 << UInt64(index) != 0 && type.map { rule.items?.contains($0) == true } == true
    }
    isItemEnd = role == .deinitializer && isOfItem
    let isSetter = if case .accessor(_, sets: true) = role { true } else { false }
    let isRun = role == .function && !name.isClosure && Self.itemRuns.contains(where: frame.function.hasSuffix)
    isItemCall = isOfItem && (isSetter || isRun)
    // A function named by a hold rule counts as library code even when the program defines it.
    isHarness = matching == 0 && MangledModule.name(of: frame.mangledName) == "Lifeline"
    isStandard = frame.image.hasPrefix("libswiftCore.so") || MangledModule.name(of: frame.mangledName) == "Swift"
    isLibrary =
      !isHarness && frame.isSystem || matching != 0
      || MangledModule.name(of: frame.mangledName).map(Self.libraryModules.contains) ?? false
  }

  /// The closure that others call by this function, into which its code may be inlined without a trace; nil if the
  /// function is not such an entry point.
  var enteredClosure: FrameFacts? {
    guard !isLibrary,
      let prefix = ["partial apply for ", "merged partial apply for "].first(where: frame.function.hasPrefix),
      frame.function.dropFirst(prefix.count).hasPrefix("closure #")
    else { return nil }
    return FrameFacts(closure: String(frame.function.dropFirst(prefix.count)), of: frame)
  }

  private init(closure: String, of frame: CodeFrame) {
    self.frame = CodeFrame(
      function: closure, mangledName: frame.mangledName, image: frame.image, isSystem: frame.isSystem, line: frame.line,
      isNear: frame.isNear)
    name = ParsedFunctionName(closure)
    rules = 0
    isItemEnd = false
    isItemCall = false
    isHarness = false
    isStandard = false
    isLibrary = false
  }

  /// Whether it is a function of the program that certainly returns nothing.
  var isResultless: Bool {
    if case .accessor(_, sets: true) = name.role { return frame.function.hasSuffix(".setter") }
    return !name.isClosure && ResultScan(frame.mangledName, function: frame.function).isNothing
  }

  /// Whether it is a library's function that keeps for itself what it takes. One of the standard library may store that
  /// in its caller's collection.
  var keepsWhatItTakes: Bool {
    isLibrary && frame.isSystem && !isStandard && isMeaningful && name.role == .function && !mayChangeVariable
      && isResultless
  }

  /// Whether its caller certainly gets no object from it as a result.
  var returnsNoObject: Bool {
    isResultless || !name.isClosure && ResultScan(frame.mangledName, function: frame.function).hasNoObject
  }

  /// Whether it certainly never returns.
  var neverReturns: Bool { ResultScan(frame.mangledName, function: frame.function).isNever }

  /// Whether its caller may get an object from it as a result.
  var mayReturnObject: Bool {
    let scan = ResultScan(frame.mangledName, function: frame.function)
    return !name.isClosure && !scan.isNothing && !scan.hasNoObject
  }

  /// Whether it is a function of a collection of the standard library, or of the memory of one.
  var isCollection: Bool {
    guard isStandard, let type = name.typeName?.withoutTypeArguments else { return false }
    return ["Array", "ContiguousArray", "ArraySlice", "Dictionary", "Set"].contains(type) || type.hasSuffix("Storage")
  }

  /// Whether it is a function of that name or one of its closures.
  func isPart(of function: String) -> Bool {
    frame.function == function || frame.function.hasSuffix(" in \(function)")
  }

  /// Whether it may change a variable of its caller: a method of a struct or enum, or one with an inout argument or one
  /// that is a function.
  var mayChangeVariable: Bool {
    guard let mangled = frame.mangledName else { return false }
    if let type = name.typeName?.split(separator: ".").last, !mangled.contains("FZ") {
      if ["V", "O"].contains(where: { mangled.contains("\(type.utf8.count)\(type)\($0)") }) { return true }
    }
    return ["zF", "z_", "ztF", "XE", "cF", "c_", "ctF", "cSg"].contains(where: mangled.contains)
  }

  /// Whether it initializes an object of a class, not a struct or enum.
  var isInitializerOfClass: Bool {
    guard name.role == .initializer, let type = name.typeName?.split(separator: ".").last,
      let mangled = frame.mangledName
    else { return false }
    return mangled.contains("\(type.utf8.count)\(type)C")
  }

  /// Whether it is a method of a class that takes and returns numbers and strings at most: its caller passed nothing on
  /// to it but the object, which it borrows. A struct's method may release what its caller stored in the struct.
  var hasOnlyItsObject: Bool {
    guard name.role == .function, !name.isClosure, !isLibrary,
      ParameterScan.isPlain(frame.mangledName, function: frame.function),
      let type = name.typeName?.split(separator: ".").last, let mangled = frame.mangledName
    else { return false }
    return mangled.contains("\(type.utf8.count)\(type)C")
  }

  /// Whether it is not a thunk or helper that does what another function says.
  var isMeaningful: Bool {
    if isHarness { return false }
    return switch name.role {
    case .glue, .blockCopy, .contextDestroy: false
    default: true
    }
  }
}
