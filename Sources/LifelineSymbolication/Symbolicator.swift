import Glibc

/// Turns addresses of a recorded process into functions, files and lines.
///
/// Files are opened when an address first falls into their image; every answer is kept. Not for use from several
/// threads at once.
public final class Symbolicator {
  private let images: [SymbolicationImage]
  private let ranges: [Range<UInt64>]
  private let biases: [UInt64]
  private var symbols: [ImageSymbols?]
  private var cache: [UInt64: [SymbolicatedFrame]] = [:]
  private var moves: [UInt64: ReferenceMove?] = [:]
  private var demangler = Demangler()
  private let texts = StringTable()
  private let files: SymbolFiles

  /// `files` says where else the images' files may lie.
  public init(images: [SymbolicationImage], files: SymbolFiles = SymbolFiles()) {
    self.images = images
    self.files = files
    ranges = images.map(\.addresses)
    biases = images.map(\.loadBias)
    symbols = Array(repeating: nil, count: images.count)
    isRuntimeLinkedIn = !images.contains { $0.path.hasSuffix("/libswiftCore.so") }
  }

  /// Whether the program has the Swift runtime in itself.
  private let isRuntimeLinkedIn: Bool

  /// Sentences about images that could not be symbolicated, in the order of the images, and then about what kept their
  /// files from being found.
  public var problems: [String] {
    let own = symbols.compactMap { $0?.problem }
    return own.isEmpty ? [] : own + files.problems
  }

  /// Why an image of the program's own could not be symbolicated, the first such; nil if all could.
  public var ownProblem: String? {
    zip(images, symbols).lazy.filter { !$0.0.isSystem }.compactMap { $0.1?.problem }.first
  }

  /// The frames of an address, the innermost inlined function first; never empty.
  ///
  /// A return address must be given minus one: it belongs to the instruction before it.
  public func frames(at address: UInt64) -> [SymbolicatedFrame] {
    if let known = cache[address] { return known }
    let new = newFrames(at: address)
    cache[address] = new
    return new
  }

  /// The symbol that covers an address: its mangled name and start, for code and data alike.
  public func symbol(at address: UInt64) -> (name: String, start: UInt64)? {
    guard let index = imageIndex(at: address) else { return nil }
    let bias = images[index].loadBias
    load(index)
    return symbols[index]?.symbol(at: address &- bias, texts).map { (texts.string($0.name), $0.start &+ bias) }
  }

  /// Whether the compiler made the instruction at an address for no line of the source; false without debug
  /// information.
  public func isMadeByCompiler(at address: UInt64) -> Bool {
    guard let index = imageIndex(at: address) else { return false }
    load(index)
    return symbols[index]?.isMadeByCompiler(address &- biases[index]) ?? false
  }

  /// Whether the code at an address was optimized; nil without debug information.
  public func isOptimized(at address: UInt64) -> Bool? {
    guard let index = imageIndex(at: address) else { return nil }
    load(index)
    return symbols[index]?.isOptimized(address &- biases[index])
  }

  /// Whether the function at an address, which ends what a closure captured or the box of a value, may end a box.
  public func mayEndBox(at address: UInt64) -> Bool {
    guard let index = imageIndex(at: address) else { return false }
    load(index)
    return symbols[index]?.mayEndBox(at: address &- biases[index]) ?? false
  }

  /// Where the code around a call that retains or releases a reference puts it, or has it from; nil where that is not
  /// certain. `address` is that of the call's last byte.
  public func referenceMove(at address: UInt64) -> ReferenceMove? {
    if let known = moves[address] { return known }
    guard let index = imageIndex(at: address), !images[index].isSystem else { return nil }
    load(index)
    let move = symbols[index]?.referenceMove(at: address &- biases[index])
    moves[address] = .some(move)
    return move
  }

  /// The address of a function by its mangled name, in the image that holds `address`. O(symbols).
  public func address(of name: String, inImageOf address: UInt64) -> UInt64? {
    guard let index = imageIndex(at: address) else { return nil }
    load(index)
    return symbols[index]?.address(named: name).map { $0 &+ images[index].loadBias }
  }

  /// Where the function around an address that has this mangled name was written, itself or inlined there; nil without
  /// debug information that says so.
  public func declaration(of name: String, at address: UInt64) -> (file: String, line: Int)? {
    guard let index = imageIndex(at: address) else { return nil }
    load(index)
    let found = symbols[index]?.declaration(of: name, at: address &- biases[index], texts)
    return found.map { (texts.string($0.file), Int($0.line)) }
  }

  /// The parameters of the function around an address that has this mangled name, itself or inlined there; a closure's
  /// are followed by what it captured. Nil without debug information that says so.
  public func parameters(of name: String, at address: UInt64) -> [FunctionParameter]? {
    guard let index = imageIndex(at: address) else { return nil }
    load(index)
    return symbols[index]?.parameters(of: name, at: address &- biases[index], texts)
  }

  /// The stored properties of the program's own classes, by full class name.
  ///
  /// Empty for programs without reflection metadata (-disable-reflection-metadata).
  public func storedProperties() -> [String: [StoredProperty]] {
    propertyTables.reduce(into: [:]) { $0.merge($1.properties) { first, _ in first } }
  }

  /// The functions with Swift Testing's @Test in test bundles, "SessionTests.closing", without arguments.
  public func testFunctions() -> Set<String> {
    images.indices.filter { images[$0].path.hasSuffix(".xctest") }.reduce(into: []) { found, index in
      load(index)
      symbols[index].map { found.formUnion($0.testFunctions) }
    }
  }

  /// The properties of @Observable classes, "App.Folder.parent", which are stored under the same name after "_".
  public func observedProperties() -> Set<String> { propertyTables.reduce(into: []) { $0.formUnion($1.observed) } }

  /// The superclasses of the program's own classes, by full names; from reflection metadata too.
  public func superclasses() -> [String: String] {
    propertyTables.reduce(into: [:]) { $0.merge($1.superclasses) { first, _ in first } }
  }

  /// Whether the program's own class may conform to protocols, which are called as `StoredProperty.protocols` does: not
  /// where all that it inherits from is known, and none of that does.
  public func mayConform(_ className: String, to protocols: Set<String>) -> Bool {
    var missing = protocols
    var name = className
    for _ in 0..<64 where !missing.isEmpty {
      let tables = propertyTables.filter { $0.properties[name] != nil }
      if tables.isEmpty || tables.contains(where: { $0.classesOfOthers.contains(name) }) { return true }
      for table in propertyTables { missing.subtract(table.conformances[name] ?? []) }
      guard let next = tables.lazy.compactMap({ $0.superclasses[name] }).first else { break }
      name = next
    }
    return missing.isEmpty
  }

  /// The types of the program's own global and static variables, and of what its structs and enums store.
  public func variableTypes() -> [String] {
    let fields = propertyTables.flatMap(\.valueTypeNames)
    return fields + images.indices.filter { !images[$0].isSystem }.flatMap { symbols[$0]?.variableTypes ?? [] }
  }

  /// The types in the arguments of the generic superclasses of the program's own classes.
  public func superclassArguments() -> Set<String> {
    propertyTables.reduce(into: []) { $0.formUnion($1.superclassArguments) }
  }

  /// What the program's own closures capture without counting it: unowned, unowned(unsafe) or as an `Unmanaged`.
  public func uncountedCaptures() -> [StoredProperty] { propertyTables.flatMap(\.uncountedCaptures) }

  /// The references of the program's own structs and enums that keep nothing alive, by the type's full name.
  public func referringValues() -> [String: [StoredProperty]] {
    propertyTables.reduce(into: [:]) { $0.merge($1.referringValues) { first, _ in first } }
  }

  /// Whether a person wrote the deinit of the program's own class, given by its full name without type arguments; nil
  /// without debug information for it. The lines of a deinit that the compiler wrote have no column.
  public func isDeinitWritten(_ className: String) -> Bool? {
    let known = images.indices.filter { !images[$0].isSystem }.compactMap { index in
      load(index)
      return symbols[index]?.isDeinitWritten(className)
    }
    return known.isEmpty ? nil : known.contains(true)
  }

  /// What that deinit calls; nil where it is not known to be one that a person wrote.
  public func callsInDeinit(of className: String) -> DeinitCalls? {
    for index in images.indices where !images[index].isSystem {
      load(index)
      if let calls = symbols[index]?.callsInDeinit(of: className, texts) { return calls }
    }
    return nil
  }

  private var propertyTables: [PropertyTable] {
    images.indices.filter { !images[$0].isSystem }.compactMap { index in
      load(index)
      return symbols[index]?.properties(texts)
    }
  }

  /// The short name of a mangled one.
  public func shortName(_ mangled: String) -> String { demangler.shortName(mangled) }

  /// Opens the file of an image, the first time.
  private func load(_ index: Int) {
    if symbols[index] == nil { symbols[index] = ImageSymbols(images[index], files: files) }
  }

  private func imageIndex(at address: UInt64) -> Int? { ranges.lastIndex { $0.contains(address) } }

  /// Replaces `locations` by the functions around an address, the innermost first, with linkage names; none where no
  /// image is. For many addresses: nothing is allocated per address, and no answer is kept.
  public func locate(_ address: UInt64, into locations: inout [CodeLocation]) {
    locations.removeAll(keepingCapacity: true)
    guard let index = imageIndex(at: address) else { return }
    _ = locate(address &- biases[index], in: index, into: &locations)
  }

  private func locate(_ offset: UInt64, in index: Int, into locations: inout [CodeLocation]) -> UInt64 {
    load(index)
    let start = symbols[index]?.locate(offset, texts, into: &locations) ?? offset
    if locations.count > 1 { leaveOutMacros(&locations) }
    return start
  }

  /// The compiler calls code that a macro of unknown name inserted an inlined function; it is its caller's.
  private func leaveOutMacros(_ locations: inout [CodeLocation]) {
    let name: StaticString = "__unknown_macro__"
    func isMacro(_ location: CodeLocation) -> Bool {
      guard location.name != StringTable.none else { return false }
      let text = texts[location.name]
      return text.count == name.utf8CodeUnitCount
        && memcmp(text.baseAddress!, name.utf8Start, name.utf8CodeUnitCount) == 0
    }
    let own = locations.removeLast()
    locations.removeAll(where: isMacro)
    locations.append(own)
  }

  /// The UTF-8 of a name or a path of a location, empty for 0; it lives as long as the symbolicator. O(1).
  public func text(_ number: Int32) -> UnsafeBufferPointer<UInt8> { texts[number] }

  /// The frames of an address, not kept.
  private func newFrames(at address: UInt64) -> [SymbolicatedFrame] {
    guard let index = imageIndex(at: address) else {
      let text = "0x" + String(address, radix: 16)
      return [
        SymbolicatedFrame(
          function: text, mangledName: nil, file: nil, line: nil, column: nil, image: "", offset: address,
          isInlined: false, isSystem: true, functionStart: address)
      ]
    }
    let image = images[index]
    let offset = address &- image.loadBias
    var locations: [CodeLocation] = []
    let start = locate(offset, in: index, into: &locations)
    return locations.enumerated().map { position, location in
      let mangled = location.name == StringTable.none ? nil : texts.string(location.name)
      return SymbolicatedFrame(
        function: mangled.map { demangler.shortName($0) } ?? "\(image.name)+0x\(String(offset, radix: 16))",
        mangledName: mangled,
        file: location.file == StringTable.none ? nil : texts.string(location.file),
        line: location.line > 0 ? Int(location.line) : nil,
        column: location.column > 0 ? Int(location.column) : nil, isNear: location.isNear && location.line > 0,
        image: image.name, offset: offset,
        isInlined: position < locations.count - 1,
        isSystem: image.isSystem || Self.isHarness(mangled) || isRuntimeLinkedIn && isLinked(mangled),
        functionStart: start)
    }
  }

  private func isLinked(_ mangled: String?) -> Bool { mangled.map(LinkedLibraries.contain) ?? false }

  /// Functions of the module Lifeline are linked into the program, but it is their caller who did something.
  private static func isHarness(_ mangled: String?) -> Bool { mangled?.hasPrefix("$s8Lifeline") ?? false }
}
