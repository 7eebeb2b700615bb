/// Turns addresses of a recorded process into functions, files and lines.
///
/// Files are opened when an address first falls into their image; every answer is kept. Not for use from several
/// threads at once.
public final class Symbolicator {
  private let images: [SymbolicationImage]
  private var symbols: [Int: ImageSymbols] = [:]
  private var cache: [UInt64: [SymbolicatedFrame]] = [:]
  private var demangler = Demangler()

  public init(images: [SymbolicationImage]) { self.images = images }

  /// Sentences about images that could not be symbolicated, in the order of the images.
  public var problems: [String] {
    symbols.sorted { $0.key < $1.key }.compactMap { $0.value.problem }
  }

  /// The frames of an address, the innermost inlined function first; never empty.
  ///
  /// A return address must be given minus one: it belongs to the instruction before it.
  public func frames(at address: UInt64) -> [SymbolicatedFrame] {
    if let known = cache[address] { return known }
    var result = locations(at: address)
    // Names cost more than all else, so only addresses that are shown get them.
    for index in result.indices {
      if let mangled = result[index].mangledName { result[index].function = demangler.shortName(mangled) }
    }
    cache[address] = result
    return result
  }

  /// The symbol that covers an address: its mangled name and start, for code and data alike.
  public func symbol(at address: UInt64) -> (name: String, start: UInt64)? {
    guard let index = images.lastIndex(where: { $0.addresses.contains(address) }) else { return nil }
    let image = images[index]
    guard let symbol = loaded(index).symbol(at: address &- image.loadBias) else { return nil }
    return (symbol.name, symbol.address &+ image.loadBias)
  }

  /// The stored properties of the program's own classes, by full class name.
  ///
  /// Empty for programs without reflection metadata (-disable-reflection-metadata).
  public func storedProperties() -> [String: [StoredProperty]] {
    propertyTables.reduce(into: [:]) { $0.merge($1.properties) { first, _ in first } }
  }

  /// The superclasses of the program's own classes, by full names; from reflection metadata too.
  public func superclasses() -> [String: String] {
    propertyTables.reduce(into: [:]) { $0.merge($1.superclasses) { first, _ in first } }
  }

  private var propertyTables: [PropertyTable] {
    images.indices.filter { !images[$0].isSystem }.compactMap { loaded($0).properties }
  }

  /// The short name of a mangled one.
  public func shortName(_ mangled: String) -> String { demangler.shortName(mangled) }

  private func loaded(_ index: Int) -> ImageSymbols {
    if let known = symbols[index] { return known }
    let new = ImageSymbols(images[index])
    symbols[index] = new
    return new
  }

  /// The same with linkage names in place of short ones, and without keeping the answer.
  public func locations(at address: UInt64) -> [SymbolicatedFrame] {
    guard let index = images.lastIndex(where: { $0.addresses.contains(address) }) else {
      let text = "0x" + String(address, radix: 16)
      return [
        SymbolicatedFrame(
          function: text, mangledName: nil, file: nil, line: nil, column: nil, image: "", offset: address,
          isInlined: false, isSystem: true, functionStart: address)
      ]
    }
    let image = images[index]
    let names = loaded(index)
    let offset = address &- image.loadBias
    let symbol = names.symbol(at: offset)
    let debug = names.debug(at: offset)
    let (row, functions) = (debug.row, debug.functions)
    let unnamed = "\(image.name)+0x\(String(offset, radix: 16))"
    var frame = SymbolicatedFrame(
      function: unnamed, mangledName: nil, file: row?.file,
      line: positive(row?.line), column: positive(row?.column), image: image.name, offset: offset, isInlined: false,
      isSystem: image.isSystem, functionStart: symbol?.address ?? functions.first?.low ?? offset)
    var frames: [SymbolicatedFrame] = []
    // Innermost first; each inlined function was called at the place its entry names.
    for (position, function) in functions.enumerated().reversed() {
      var mangled = position == 0 ? symbol?.name : nil
      if mangled == nil { mangled = function.name.map { String(cString: $0) } }
      // A damaged file may have names without a letter.
      if mangled?.isEmpty ?? false { mangled = nil }
      frame.mangledName = mangled
      frame.function = mangled ?? unnamed
      frame.isInlined = position > 0
      frame.isSystem = image.isSystem || Self.isHarness(mangled)
      frames.append(frame)
      frame.file = function.callFile.flatMap { debug.files?.path($0) }
      frame.line = positive(function.callLine)
      frame.column = positive(function.callColumn)
    }
    if frames.isEmpty {
      if let symbol, !symbol.name.isEmpty {
        frame.mangledName = symbol.name
        frame.function = symbol.name
        frame.isSystem = image.isSystem || Self.isHarness(symbol.name)
      }
      frames.append(frame)
    }
    return frames
  }

  /// Functions of the module Lifeline are linked into the program, but it is their caller who did something.
  private static func isHarness(_ mangled: String?) -> Bool { mangled?.hasPrefix("$s8Lifeline") ?? false }

  private func positive(_ number: Int?) -> Int? { number.flatMap { $0 > 0 ? $0 : nil } }
}
