/// The functions and lines of one unit, read when an address is first in it.
struct CompilationUnit {
  /// The details of a function, read when an address in it is looked up.
  private struct Details {
    var name = StringTable.none
    /// The call in the enclosing function.
    var call = CodeLocation()
  }

  private let units: UnitTable
  private let unit: DebugUnit
  private var functions: FunctionTable
  private let lines: LineTable
  private let files: SourceFiles
  private var details: [Details?] = []
  /// By number of the file; -1 if not looked up yet.
  private var paths: [Int32]

  /// Nil if the unit cannot be read.
  init?(_ units: UnitTable, _ index: Int) {
    guard let unit = units.unit(index) else { return nil }
    self.units = units
    self.unit = unit
    functions = FunctionTable(unit)
    let header = unit.root.lines.optional.flatMap {
      LineProgramHeader(at: $0, unit.sections, addressSize: unit.header.encoding.addressSize)
    }
    files = SourceFiles(header, unit)
    lines = header.map { LineProgramReader.read($0, unit.sections) } ?? LineTable()
    paths = Array(repeating: -1, count: files.count + 1)
  }

  /// Whether the optimizer may have removed variables.
  var isOptimized: Bool { unit.root.optimized.isPresent }

  /// The function around an address, without the number of this unit.
  mutating func reach(at address: UInt64) -> FunctionReach {
    let (function, low, high) = functions.outermost(at: address)
    return FunctionReach(
      low: low, high: high, function: function,
      inlined: function == FunctionTable.none ? 0..<0 : functions.inlined(into: function),
      rows: lines.rows(from: low, to: high))
  }

  /// Adds the functions around an address to an empty array, innermost first, each with its location; without functions
  /// only the location. `symbol` is the outermost one's name, if known.
  mutating func locate(
    _ address: UInt64, in reach: FunctionReach, symbol: Int32, _ texts: StringTable,
    into locations: inout [CodeLocation]
  ) {
    var function = functions.innermost(at: address, in: reach.function, reach.inlined)
    var location = place(at: address, in: function, reach, texts)
    while function != reach.function {
      let known = details(function, texts)
      location.name = known.name
      locations.append(location)
      location = known.call
      function = functions.parents[Int(function)]
    }
    location.name = symbol
    if symbol == StringTable.none, function != FunctionTable.none { location.name = details(function, texts).name }
    locations.append(location)
  }

  private mutating func place(at address: UInt64, in function: Int32, _ reach: FunctionReach, _ texts: StringTable)
    -> CodeLocation
  {
    guard let row = row(at: address, in: reach) else { return CodeLocation() }
    if lines.place(row).line != 0 || function == FunctionTable.none { return place(row, texts) }
    // Releases and deinits often have line 0, "no line": then the last preceding row with a line is used, if it is in
    // the same function and not in one inlined there.
    var other = row
    // No function has that many rows without a line.
    let limit = max(0, row - 4096)
    while other > limit, lines.address(other - 1) >= reach.low, lines.address(other - 1) <= lines.address(other) {
      other -= 1
      guard lines.place(other).line != 0 else { continue }
      if functions.innermost(at: lines.address(other), in: reach.function, reach.inlined) == function {
        return place(other, texts)
      }
    }
    return place(row, texts)
  }

  /// Where a function has the call through which another one is inlined, at any depth; nil if it is not or has no line.
  private mutating func call(from function: Int32, to inner: Int32, _ texts: StringTable) -> CodeLocation? {
    var inner = inner
    while inner != FunctionTable.none, functions.parents[Int(inner)] != function {
      inner = functions.parents[Int(inner)]
    }
    guard inner != FunctionTable.none else { return nil }
    let call = details(inner, texts).call
    return call.line == 0 || call.file == StringTable.none ? nil : call
  }

  private func row(at address: UInt64, in reach: FunctionReach) -> Int? {
    reach.rows.map { lines.row(at: address, in: $0) } ?? lines.row(at: address)
  }

  /// The addresses of the rows in a part of a reach, where instructions begin.
  func rowAddresses(in code: Range<UInt64>, of reach: FunctionReach) -> Set<UInt64> {
    let code = code.clamped(to: reach.low..<max(reach.low, reach.high))
    guard let rows = lines.rows(from: code.lowerBound, to: code.upperBound) else { return [] }
    return Set(rows.lazy.map(lines.address).filter(code.contains))
  }

  func hasColumns(in code: Range<UInt64>) -> Bool? {
    let places = (lines.rows(from: code.lowerBound, to: code.upperBound) ?? 0..<0).map(lines.place)
    let known = places.filter { $0.line > 0 }
    return known.isEmpty ? nil : known.contains { $0.column > 0 }
  }

  func hasLine(at address: UInt64, in reach: FunctionReach) -> Bool {
    row(at: address, in: reach).map { lines.place($0).line != 0 } ?? true
  }

  /// Whether what surrounds code without a line is a function inlined before it, and a line of its own function behind.
  func beginsNextLine(_ address: UInt64, in reach: FunctionReach) -> Bool {
    guard let row = row(at: address, in: reach) else { return false }
    func function(_ row: Int) -> Int32 {
      functions.innermost(at: lines.address(row), in: reach.function, reach.inlined)
    }
    func hasLine(_ row: Int) -> Bool { lines.place(row).line != 0 }
    guard let before = (max(0, row - 4096)..<row).last(where: hasLine),
      let next = (row + 1..<max(row + 1, min(lines.count, row + 4096))).first(where: hasLine),
      lines.address(before) >= reach.low, lines.address(next) < reach.high
    else { return false }
    let own = functions.innermost(at: address, in: reach.function, reach.inlined)
    return function(before) != own && function(next) == own
  }

  /// The line of what follows in the innermost function around an address, if it has one.
  mutating func moveToNextLine(
    _ address: UInt64, in reach: FunctionReach, _ texts: StringTable, _ location: inout CodeLocation
  ) {
    guard var other = row(at: address, in: reach) else { return }
    let function = functions.innermost(at: address, in: reach.function, reach.inlined)
    let limit = min(lines.count - 1, other + 4096)
    while other < limit, lines.address(other + 1) < reach.high, lines.address(other + 1) >= lines.address(other) {
      other += 1
      guard lines.place(other).line != 0,
        functions.innermost(at: lines.address(other), in: reach.function, reach.inlined) == function
      else { continue }
      let next = place(other, texts)
      location.file = next.file
      location.line = next.line
      location.column = next.column
      return
    }
  }

  /// Replaces the line of code without one by that of a call inlined before it, if that comes after the last line of
  /// the innermost function around the address; it is near then.
  mutating func moveToInlinedCall(
    _ address: UInt64, in reach: FunctionReach, _ texts: StringTable, _ location: inout CodeLocation
  ) {
    guard var row = row(at: address, in: reach) else { return }
    let function = functions.innermost(at: address, in: reach.function, reach.inlined)
    var address = address
    // No function has that many parts without a line.
    for _ in 0..<4096 {
      let start = max(lines.address(row), functions.start(of: address, in: reach.inlined) ?? 0)
      guard start > reach.low, start <= address, let before = self.row(at: start - 1, in: reach) else { return }
      (row, address) = (before, start - 1)
      let inner = functions.innermost(at: address, in: reach.function, reach.inlined)
      if inner != function, let call = call(from: function, to: inner, texts) {
        location.isNear = location.file != call.file || location.line != call.line
        location.file = call.file
        location.line = call.line
        location.column = call.column
        return
      }
      if inner == function, lines.place(row).line != 0 { return }
    }
  }

  private mutating func place(_ row: Int, _ texts: StringTable) -> CodeLocation {
    let place = lines.place(row)
    let file = path(UInt64(place.file), texts)
    return file == StringTable.none
      ? CodeLocation() : CodeLocation(file: file, line: max(0, place.line), column: max(0, place.column))
  }

  private mutating func details(_ function: Int32, _ texts: StringTable) -> Details {
    let index = Int(function)
    while details.count <= index { details.append(nil) }
    if let known = details[index] { return known }
    var new = Details()
    if let attributes = functions.attributes(of: function) {
      new.name = units.functionName(attributes, in: unit, texts).text
      if let file = attributes.callFile.optional { new.call.file = path(file, texts) }
      new.call.line = max(0, Int32(truncatingIfNeeded: attributes.callLine.number))
      new.call.column = max(0, Int32(truncatingIfNeeded: attributes.callColumn.number))
    }
    details[index] = new
    return new
  }

  /// Where the function with this name around an address, itself or inlined, is declared; nil if unknown.
  mutating func declaration(
    of name: String, at address: UInt64, in reach: FunctionReach, _ texts: StringTable
  ) -> CodeLocation? {
    function(named: name, at: address, in: reach, texts).flatMap { functions.attributes(of: $0) }.flatMap {
      declaration($0, texts)
    }
  }

  private mutating func function(
    named name: String, at address: UInt64, in reach: FunctionReach, _ texts: StringTable
  ) -> Int32? {
    var function = functions.innermost(at: address, in: reach.function, reach.inlined)
    while function != FunctionTable.none {
      if texts.string(details(function, texts).name) == name { return function }
      if function == reach.function { break }
      function = functions.parents[Int(function)]
    }
    return nil
  }

  /// The parameters of the function with this name around an address, itself or inlined; nil if unknown.
  ///
  /// Where a function is inlined, its entry may lack those that the optimizer removed; the one it refers to has all.
  mutating func parameters(
    of name: String, at address: UInt64, in reach: FunctionReach, _ texts: StringTable
  ) -> [FunctionParameter]? {
    guard let function = function(named: name, at: address, in: reach, texts),
      let attributes = functions.attributes(of: function)
    else { return nil }
    let isWhole = !attributes.abstractOrigin.isPresent
    guard let position = isWhole ? functions.position(of: function) : own(attributes.abstractOrigin) else { return nil }
    let parameters = functions.parameters(ofFunctionAt: position).compactMap { position in
      unit.attributes(at: position).map { entry in
        let line = entry.declarationLine.optional.flatMap { Int(exactly: $0) }
        return FunctionParameter(name: text(entry.name), type: type(entry.type), line: line == 0 ? nil : line)
      }
    }
    return parameters.contains { $0.name.isEmpty } ? nil : parameters
  }

  /// The mangled name of a type, without `const`.
  private func type(_ reference: EntryAttributes.Value) -> String {
    var reference = reference
    for _ in 0..<4 {
      guard let position = own(reference), let attributes = unit.attributes(at: position) else { return "" }
      if attributes.linkageName.isPresent { return text(attributes.linkageName) }
      if attributes.name.isPresent { return text(attributes.name) }
      // The entry of a generic type with arguments has a member of that type; its specification is without them.
      reference = unit.firstChild(ofEntryAt: position)?.type ?? attributes.type
    }
    return ""
  }

  private func text(_ value: EntryAttributes.Value) -> String {
    unit.string(value).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The position of an entry of this unit that an attribute refers to.
  private func own(_ reference: EntryAttributes.Value) -> Int? {
    guard let other = unit.reference(reference), !other.isInSupplement,
      (unit.header.firstEntry..<unit.header.end).contains(Int(clamping: other.position))
    else { return nil }
    return Int(other.position)
  }

  /// An inlined function refers to an entry of its own, mostly in the same unit, and that of a method's closure to its
  /// declaration in the type.
  private mutating func declaration(_ attributes: EntryAttributes, _ texts: StringTable) -> CodeLocation? {
    var attributes = attributes
    for _ in 0..<4 where !attributes.declarationLine.isPresent {
      let origin = attributes.abstractOrigin.isPresent ? attributes.abstractOrigin : attributes.specification
      guard let other = own(origin).flatMap({ unit.attributes(at: $0) }) else { return nil }
      attributes = other
    }
    guard let file = attributes.declarationFile.optional, let line = attributes.declarationLine.optional,
      line > 0, line < Int32.max
    else { return nil }
    let path = path(file, texts)
    return path == StringTable.none ? nil : CodeLocation(file: path, line: Int32(line), column: 0)
  }

  private mutating func path(_ file: UInt64, _ texts: StringTable) -> Int32 {
    guard file < UInt64(paths.count) else { return StringTable.none }
    if paths[Int(file)] < 0 { paths[Int(file)] = files.path(file).map { texts.add($0) } ?? StringTable.none }
    return paths[Int(file)]
  }
}
