/// The functions and lines of one unit, read when an address first falls into it.
struct CompilationUnit {
  /// What is said of a function when an address in it is asked for.
  private struct Details {
    var name = TextTable.none
    /// Where the enclosing function calls it.
    var call = CodeLocation()
  }

  private let units: UnitTable
  private let unit: DebugUnit
  private var functions: FunctionTable
  private let lines: LineTable
  private let files: SourceFiles
  private var details: [Details?] = []
  /// By number of the file; -1 where nobody asked yet.
  private var paths: [Int32]

  /// Nil when the unit cannot be read.
  init?(_ units: UnitTable, _ index: Int) {
    guard let unit = units.unit(index) else { return nil }
    self.units = units
    self.unit = unit
    functions = FunctionTable(unit)
    let header = unit.root.lines.optional.flatMap { LineProgramHeader(at: $0, unit.sections, addressSize: unit.header.encoding.addressSize) }
    files = SourceFiles(header, unit)
    lines = header.map { LineProgramReader.read($0, unit.sections) } ?? LineTable()
    paths = Array(repeating: -1, count: files.count + 1)
  }

  /// Adds the functions around an address to an empty array, the innermost first, each with the place in it; without
  /// functions the place alone. `symbol` is the outermost one's name, if known.
  mutating func locate(_ address: UInt64, symbol: Int32, _ texts: TextTable, into locations: inout [CodeLocation]) {
    let outermost = functions.outermost(at: address)
    guard outermost != FunctionTable.none else {
      var location = lines.row(at: address).map { place($0, texts) } ?? CodeLocation()
      location.name = symbol
      return locations.append(location)
    }
    var function = functions.innermost(at: address, in: outermost)
    var location = place(at: address, in: function, outermost, texts)
    while function != outermost {
      let known = details(function, texts)
      location.name = known.name
      locations.append(location)
      location = known.call
      function = functions.parents[Int(function)]
    }
    location.name = symbol != TextTable.none ? symbol : details(outermost, texts).name
    locations.append(location)
  }

  /// Where the function that is not inlined begins around an address, or nil.
  func functionStart(_ address: UInt64) -> UInt64? { functions.start(at: address) }

  private mutating func place(at address: UInt64, in function: Int32, _ outermost: Int32, _ texts: TextTable) -> CodeLocation {
    guard let row = lines.row(at: address) else { return CodeLocation() }
    if lines.place(row).line != 0 { return place(row, texts) }
    // Releases and deinits often carry line 0, "no line": the last row before it that has one is asked, if it is of the
    // same function and not of what was inlined there.
    var other = row
    while let before = lines.row(before: other), functions.outermost(at: before.address) == outermost {
      other = before.row
      if lines.place(other).line != 0, functions.innermost(at: before.address, in: outermost) == function { return place(other, texts) }
    }
    return place(row, texts)
  }

  private mutating func place(_ row: Int, _ texts: TextTable) -> CodeLocation {
    let place = lines.place(row)
    let file = path(UInt64(place.file), texts)
    return file == TextTable.none ? CodeLocation() : CodeLocation(file: file, line: max(0, place.line), column: max(0, place.column))
  }

  private mutating func details(_ function: Int32, _ texts: TextTable) -> Details {
    let index = Int(function)
    while details.count <= index { details.append(nil) }
    if let known = details[index] { return known }
    var new = Details()
    if let attributes = unit.attributes(at: functions.positions[index]) {
      new.name = units.functionName(attributes, in: unit, texts).text
      if let file = attributes.callFile.optional { new.call.file = path(file, texts) }
      new.call.line = max(0, Int32(truncatingIfNeeded: attributes.callLine.number))
      new.call.column = max(0, Int32(truncatingIfNeeded: attributes.callColumn.number))
    }
    details[index] = new
    return new
  }

  private mutating func path(_ file: UInt64, _ texts: TextTable) -> Int32 {
    guard file < UInt64(paths.count) else { return TextTable.none }
    if paths[Int(file)] < 0 { paths[Int(file)] = files.path(file).map { texts.add($0) } ?? TextTable.none }
    return paths[Int(file)]
  }
}
