/// The functions and lines of one unit, read when an address first falls into it.
final class CompilationUnit {
  /// What is said of a function when an address in it is asked for.
  private struct Details {
    var name = TextTable.none
    /// Where the enclosing function calls it.
    var call = CodeLocation()
  }

  private let units: UnitTable
  private let functions: FunctionTable
  private let lines: LineTable
  private let files: SourceFiles
  private var details: [Details?]
  private var paths: [UInt64: Int32] = [:]

  /// Nil when the unit cannot be read.
  init?(_ units: UnitTable, _ index: Int) {
    guard let (unit, abbreviations) = units.unit(index) else { return nil }
    self.units = units
    functions = FunctionTable(unit, abbreviations)
    let header = unit.root.lines.optional.flatMap { LineProgramHeader(at: $0, unit.sections, addressSize: unit.header.encoding.addressSize) }
    files = SourceFiles(header, unit)
    lines = header.map { LineProgramReader.read($0, unit.sections) } ?? LineTable()
    details = Array(repeating: nil, count: functions.entries.count)
  }

  /// Adds the functions around an address, the innermost first, each with the place in it; without functions the place alone.
  func locate(_ address: UInt64, _ texts: inout TextTable, into locations: inout [CodeLocation]) {
    var function = functions.map.rank(at: address)
    var location = place(at: address, in: function, &texts)
    repeat {
      guard function != FunctionTable.none else { break }
      let known = details(function, &texts)
      location.name = known.name
      locations.append(location)
      location = known.call
      function = functions.parents[Int(function)]
    } while true
    if locations.isEmpty { locations.append(location) }
  }

  /// Where the function that is not inlined begins around an address, or nil.
  func functionStart(_ address: UInt64) -> UInt64? {
    var index = functions.map.index(of: address)
    guard index >= 0, functions.map.ranks[index] != FunctionTable.none else { return nil }
    let own = functions.outermost[Int(functions.map.ranks[index])]
    while index > 0, functions.map.ranks[index - 1] != FunctionTable.none, functions.outermost[Int(functions.map.ranks[index - 1])] == own {
      index -= 1
    }
    return functions.map.starts[index]
  }

  private func place(at address: UInt64, in function: Int32, _ texts: inout TextTable) -> CodeLocation {
    guard var row = lines.row(at: address) else { return CodeLocation() }
    if lines.place(row).line == 0, function != FunctionTable.none {
      let outermost = functions.outermost[Int(function)]
      row = lines.rowWithLine(before: row, of: function) { other in
        let around = functions.map.rank(at: other)
        return around != FunctionTable.none && functions.outermost[Int(around)] == outermost ? around : nil
      } ?? row
    }
    let place = lines.place(row)
    let file = path(UInt64(place.file), &texts)
    return file == TextTable.none ? CodeLocation() : CodeLocation(file: file, line: max(0, place.line), column: max(0, place.column))
  }

  private func details(_ function: Int32, _ texts: inout TextTable) -> Details {
    if let known = details[Int(function)] { return known }
    var new = Details()
    let position = UInt64(functions.entries[Int(function)])
    new.name = units.functionName(at: position).map { texts.number(of: $0) } ?? TextTable.none
    if functions.parents[Int(function)] != FunctionTable.none, let (attributes, _) = units.entry(at: position) {
      if let file = attributes.callFile.optional { new.call.file = path(file, &texts) }
      new.call.line = max(0, Int32(truncatingIfNeeded: attributes.callLine.number))
      new.call.column = max(0, Int32(truncatingIfNeeded: attributes.callColumn.number))
    }
    details[Int(function)] = new
    return new
  }

  private func path(_ file: UInt64, _ texts: inout TextTable) -> Int32 {
    if let known = paths[file] { return known }
    let number = files.path(file).map { texts.number(of: $0) } ?? TextTable.none
    paths[file] = number
    return number
  }
}
