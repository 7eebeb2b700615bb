/// All names of one image: its symbol table and its debug information, wherever that is.
struct ImageSymbols {
  /// Why the image cannot be symbolicated, or nil.
  let problem: String?
  /// The files that contain the symbol table's names.
  private let files: [ELFFile]
  private(set) var debug: DebugInformation?
  private(set) var symbols = SymbolTable()
  /// For each symbol the number of its function's facts, or -1.
  private var reaches: [Int32] = []
  private var known: [FunctionReach] = []
  private lazy var loads = calls(to: ReferenceCalls.loads)
  private lazy var retains = calls(to: ReferenceCalls.retains)
  private lazy var allocations = calls(to: ReferenceCalls.allocations)
  private lazy var counting = countingCalls()
  private(set) lazy var machineCode = files.first(where: \.hasCode).map { ImageCode($0) }
  private lazy var table = files.last.map { PropertyTable($0) }
  private var isTableNamed = false

  init(_ image: SymbolicationImage, files elsewhere: SymbolFiles) {
    let file: ELFFile
    var locator = DebugFileLocator()
    var debugFile: ELFFile?
    var absence: String?
    do {
      file = try Self.recorded(image)
    } catch {
      debugFile = elsewhere.debugFile(of: image, isMissing: true)
      guard let found = elsewhere.program(of: image) ?? debugFile else {
        files = []
        debug = nil
        problem = Self.sentence(image, error)
        return
      }
      file = found
      if !found.hasCode {
        absence =
          "The file \(image.path) \(error), but its debug file \(found.path) is available: functions have names, "
          + "stored properties do not."
      }
    }
    if file.hasDebugInformation { debugFile = file }
    debugFile = debugFile ?? locator.locate(for: file) ?? elsewhere.debugFile(of: image, isMissing: false)
    // Lines in the system's libraries are not needed, and inflating libc's debug file takes 40 ms: its symbols are
    // enough.
    let isForLines = !image.isSystem || debugFile === file
    debug = isForLines ? debugFile.flatMap { DebugInformation($0) } : nil
    files = debugFile.map { $0 === file ? [file] : [$0, file] } ?? [file]
    symbols = SymbolTable(files)
    problem =
      if symbols.isIncomplete {
        "Some symbols of \(image.path) cannot be read; functions and variables may lack names."
      } else if let debugFile, debug == nil, isForLines {
        "The debug information in \(debugFile.path) cannot be read; functions of \(image.name) are shown without lines."
      } else if debug == nil {
        locator.problem ?? (debugFile == nil ? Self.lack(image, file) : nil)
      } else {
        absence
      }
  }

  /// The file at the path where the process had it.
  private static func recorded(_ image: SymbolicationImage) throws(ELFFileError) -> ELFFile {
    let file = try ELFFile(path: image.path)
    let buildID = file.buildID
    guard image.buildID.isEmpty || buildID == image.buildID else {
      throw ELFFileError(
        description: "has changed since it was recorded (build ID \(hex(buildID)), recorded \(hex(image.buildID)))")
    }
    return file
  }

  /// What a stripped file of the program's own Swift code lacks; nil for others.
  private static func lack(_ image: SymbolicationImage, _ file: ELFFile) -> String? {
    let names = Set(file.sections.map(\.name))
    guard !image.isSystem, names.contains("swift5_type_metadata"), !names.contains(".symtab") else { return nil }
    let wanted = image.buildID.isEmpty ? "" : " (build ID \(hex(image.buildID)))"
    return "The file \(image.path) is stripped; its frames are shown as offsets. Use --symbols FOLDER to search a "
      + "folder for its debug file\(wanted)."
  }

  /// Which file is missing, and what would help; nil for the kernel's own page, which has no file.
  private static func sentence(_ image: SymbolicationImage, _ error: ELFFileError) -> String? {
    guard !image.path.hasPrefix("["), !image.path.hasPrefix("linux-vdso") else { return nil }
    let offsets = "The file \(image.path) \(error); its frames are shown as offsets."
    guard !image.isSystem, !image.buildID.isEmpty else { return offsets }
    let wanted = error.isMissing ? " (build ID \(hex(image.buildID)))" : ""
    return "\(offsets) Use --symbols FOLDER to search a folder for it or its debug file\(wanted)."
  }

  /// The stored properties of the image's classes.
  mutating func properties(_ texts: StringTable) -> PropertyTable? {
    if !isTableNamed {
      isTableNamed = true
      if let observable = table?.observable, !observable.isEmpty {
        let observed = expanded(observable, texts)
        table?.name(observed)
      }
    }
    return table
  }

  /// Those of some properties, "App.Folder.parent", whose accessors a macro wrote.
  private mutating func expanded(_ properties: Set<String>, _ texts: StringTable) -> Set<String> {
    var demangler = Demangler()
    var found: Set<String> = []
    // Getters, setters, and accessors for initializers (Mangling.rst), which hardly anyone else writes.
    for (name, code) in symbols.functions(endingIn: ["vg", "vs", "vi"]) {
      guard let module = Demangler.demangle(name).split(separator: ".").first else { continue }
      let accessor = demangler.shortName(name)
      let property = accessor.lastIndex(of: ".").map { "\(module).\(accessor[..<$0])" } ?? ""
      guard properties.contains(property), !found.contains(property) else { continue }
      if name.hasSuffix("vi") || isExpansion(code, texts) { found.insert(property) }
    }
    return found
  }

  /// Whether the code of a function is in the file of a macro's expansion, which is only in the debug information.
  private mutating func isExpansion(_ code: Range<UInt64>, _ texts: StringTable) -> Bool {
    guard debug != nil else { return false }
    var locations: [CodeLocation] = []
    for address in code.prefix(128) {
      locations.removeAll(keepingCapacity: true)
      _ = locate(address, texts, into: &locations)
      guard let file = locations.last?.file, file != StringTable.none else { continue }
      if texts.string(file).split(separator: "/").last?.hasPrefix("@__swiftmacro_") == true { return true }
    }
    return false
  }

  /// The demangled types of the image's global and static variables.
  var variableTypes: [String] {
    symbols.names(endingIn: ["vp", "vpZ"]).compactMap { name in
      let text = Demangler.demangle(name)
      return text.firstRange(of: " : ").map { String(text[$0.upperBound...]) }
    }
  }

  /// The code of the deinits of the image's classes, by the class's full name without type arguments.
  private(set) lazy var deinits: [String: [Range<UInt64>]] = {
    var demangler = Demangler()
    var found: [String: [Range<UInt64>]] = [:]
    // "fd" ends the object's parts, and "fD" calls it and frees the memory (Mangling.rst).
    for (name, code) in symbols.functions(endingIn: ["fd", "fD"]) {
      guard let module = Demangler.demangle(name).split(separator: ".").first else { continue }
      let function = demangler.shortName(name)
      for suffix in [".deinit", ".__deallocating_deinit"] where function.hasSuffix(suffix) {
        found["\(module).\(function.dropLast(suffix.count))", default: []].append(code)
      }
    }
    return found
  }()

  /// The functions with Swift Testing's @Test, "SessionTests.closing", without arguments.
  ///
  /// The macro makes a function around each. Its name contains the test's mangled name without the type, then the
  /// macro's ("4Test") and "fMp", a peer macro's expansion (Mangling.rst).
  var testFunctions: Set<String> {
    let macro = "4TestfMp_"
    var demangler = Demangler()
    return symbols.names(containing: macro).reduce(into: []) { found, name in
      let text = Demangler.demangle(name)
      guard let end = text.firstRange(of: macro)?.lowerBound,
        let start = text[..<end].lastIndex(of: "$")
      else { return }
      // As if it had neither parameters nor a result.
      let function = demangler.shortName(text[start..<end] + "yyF")
      if function.hasSuffix("()") { found.insert(String(function.dropLast(2))) }
    }
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.isEmpty ? "none" : bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// The name and the start of the symbol that covers a file address.
  mutating func symbol(at address: UInt64, _ texts: StringTable) -> (name: Int32, start: UInt64)? {
    guard let index = symbols.find(address) else { return nil }
    return (symbols.name(index, texts), symbols.address(index))
  }

  /// The file address of the symbol with a name. O(symbols).
  func address(named name: String) -> UInt64? { symbols.find(named: name).map { symbols.address($0) } }

  /// The functions around a file address, the innermost first, into an empty array; never none. The result is where the
  /// outermost begins, or the address itself.
  mutating func locate(_ address: UInt64, _ texts: StringTable, into locations: inout [CodeLocation]) -> UInt64 {
    guard let index = symbols.find(address) else {
      let reach = debug?.reach(at: address)
      if let reach { debug?.locate(address, in: reach, symbol: StringTable.none, texts, into: &locations) }
      if locations.isEmpty { locations.append(CodeLocation()) }
      return reach.flatMap { $0.function == FunctionTable.none ? nil : $0.low } ?? address
    }
    // The symbol table knows the name that the linker chose.
    let name = symbols.name(index, texts)
    if let reach = reach(at: address, symbol: index) {
      debug?.locate(address, in: reach, symbol: name, texts, into: &locations)
      if debug?.hasLine(at: address, in: reach) == false {
        if belongsToNext(address, in: reach) {
          debug?.moveToNextLine(address, in: reach, texts, &locations[0])
        } else if let scan = scan(around: address), let store = scan.store, reach.contains(store.address),
          debug?.hasLine(at: store.address, in: reach) == true
        {
          // The optimizer takes the line from a call that retains what is stored, or releases what was there.
          var places: [CodeLocation] = []
          debug?.locate(store.address, in: reach, symbol: name, texts, into: &places)
          // In the middle of an inlined initializer, a variable may be stored elsewhere, as in a task's frame.
          let isInObject = places.count == 1 || scan.isInNewMemory
          let isOwn = store.isReplacing || isInObject && isOfCountingInitializer(places.first, texts)
          if isOwn { locations = places } else { locations[0].isNear = places.first?.line != locations[0].line }
        } else if retains?.hasCall(endingAt: address) == true {
          locations[0].isNear = true
        } else {
          debug?.moveToInlinedCall(address, in: reach, texts, &locations[0])
        }
      }
    }
    if locations.isEmpty { locations.append(CodeLocation(name: name)) }
    return symbols.address(index)
  }

  private func calls(to functions: [String]) -> ReferenceCalls? {
    files.first.map { ReferenceCalls(to: functions, $0, own: Set(functions.compactMap { address(named: $0) })) }
  }

  private mutating func countingCalls() -> CountingCalls? {
    let kinds: [([String], CountingCalls.Callee)] = [
      (["swift_retain"], .retain), (["swift_release"], .release), (ReferenceCalls.accesses, .access),
      (ReferenceCalls.allocations, .allocation), (["swift_retain_n", "swift_release_n"], .several),
    ]
    return machineCode.map { code in
      CountingCalls(
        code: code, callees: kinds.compactMap { names, callee in calls(to: names).map { ($0, callee) } })
    }
  }

  private lazy var contexts = files.first.map { ContextTable($0) }

  /// Whether the function around an address, which ends a closure's context or a value's box, may end a box.
  mutating func mayEndBox(at address: UInt64) -> Bool {
    // Such functions are in the debug information alone.
    guard let reach = debug?.reach(at: address), reach.contains(address) else { return false }
    return contexts?.mayEndBox(reach.low) ?? false
  }

  /// Where the code around a call that retains or releases a reference puts it, or has it from; nil where that is not
  /// certain.
  mutating func referenceMove(at address: UInt64) -> ReferenceMove? {
    scan(around: address)?.move
  }

  /// Whether it is in an initializer of a class that has no references without a count: next to a store of one, the
  /// optimizer may retain a variable.
  private mutating func isOfCountingInitializer(_ location: CodeLocation?, _ texts: StringTable) -> Bool {
    guard let name = location?.name, name != StringTable.none else { return false }
    let mangled = texts.string(name)
    var demangler = Demangler()
    let function = demangler.shortName(mangled)
    guard let module = Demangler.demangle(mangled).split(separator: ".").first,
      let type = function.firstRange(of: ".init(").map({ function[..<$0.lowerBound] }),
      let own = properties(texts)?.properties["\(module).\(type)"]
    else { return false }
    return !own.contains(where: \.strength.isUncounted)
  }

  private mutating func scan(around address: UInt64) -> ReferenceMoveScan? {
    guard address < .max, let counting else { return nil }
    let code = ReferenceMoveScan.code(around: address)
    return ReferenceMoveScan(
      around: address, counting, boundaries: debug?.boundaries(in: code, around: address) ?? [],
      start: debug?.reach(at: address)?.low, isOptimized: isOptimized(address))
  }

  /// Whether an instruction is for what follows it.
  private mutating func belongsToNext(_ address: UInt64, in reach: FunctionReach) -> Bool {
    loads?.hasCall(endingAt: address) == true
      || retains?.hasCall(endingAt: address) == true && isOptimized(address) == false
      || allocations?.hasCall(endingAt: address) == true && debug?.beginsNextLine(address, in: reach) == true
  }

  /// Whether the code at an address was optimized; nil without debug information.
  mutating func isOptimized(_ address: UInt64) -> Bool? { debug?.isOptimized(at: address) }

  /// Whether an instruction belongs to no line of the source; false without debug information.
  mutating func isMadeByCompiler(_ address: UInt64) -> Bool {
    guard let reach = debug?.reach(at: address) else { return false }
    return debug?.hasLine(at: address, in: reach) == false
  }

  /// Whether a person wrote the deinit of a class, and it is not empty; nil where no line tells.
  mutating func isDeinitWritten(_ className: String) -> Bool? {
    let code = deinits[className] ?? []
    let known = code.compactMap { debug?.hasColumns(in: $0) }
    guard known.contains(true) else { return known.isEmpty ? nil : false }
    // The deinit in the source may contain only what is compiled under some condition.
    return !code.contains { part in machineCode?.isEmpty(part) == true }
  }

  /// Where the function around a file address that has this name was written.
  mutating func declaration(of name: String, at address: UInt64, _ texts: StringTable) -> CodeLocation? {
    debug?.declaration(of: name, at: address, texts)
  }

  /// The parameters of the function around a file address that has this name.
  mutating func parameters(of name: String, at address: UInt64, _ texts: StringTable) -> [FunctionParameter]? {
    debug?.parameters(of: name, at: address, texts)
  }

  /// What is known of the function around an address: of each symbol the last answer is kept.
  private mutating func reach(at address: UInt64, symbol index: Int) -> FunctionReach? {
    if reaches.isEmpty { reaches = Array(repeating: -1, count: symbols.count) }
    let number = Int(reaches[index])
    if number >= 0, known[number].contains(address) { return known[number] }
    guard let reach = debug?.reach(at: address) else { return nil }
    if number >= 0 {
      known[number] = reach
    } else {
      reaches[index] = Int32(known.count)
      known.append(reach)
    }
    return reach
  }
}
