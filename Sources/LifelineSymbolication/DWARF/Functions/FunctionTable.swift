/// The functions of one unit and what was inlined into them.
///
/// At first only functions that are not inlined are read; the contents of one are read when an address is in it.
struct FunctionTable {
  static let none = AddressMap.none

  /// The position of each function's entry in .debug_info: first those that are not inlined, then the others as they
  /// are read.
  private var positions: [Int] = []
  /// The function that each was inlined into, or `none`.
  private(set) var parents: [Int32] = []
  private var map = AddressMap()
  /// Inlined functions, a group for each function that has been read.
  private var inlined = AddressMap()
  private var groups: [Range<Int>?] = []
  private let unit: DebugUnit
  private let abbreviations: AbbreviationTable
  /// Buffers used while a function is read, kept for the next.
  private var ranges: [AddressMap.Range] = []
  private var enclosing: [Int32] = []
  /// Many entries of a hostile file may name one long list of ranges.
  private var budget: Int

  /// Reads a unit's entries once.
  init(_ unit: DebugUnit) {
    self.unit = unit
    abbreviations = unit.abbreviations
    budget = unit.header.end - unit.header.start + max(unit.sections.ranges.count, unit.sections.rangeLists.count)
    var reader = unit.reader(from: unit.header.firstEntry)
    var depth = 0
    while !reader.isAtEnd {
      let position = reader.position
      let code = reader.unsigned()
      if code == 0 {
        depth -= 1
      } else {
        guard let kind = abbreviations.kind(code) else { break }
        if kind.role == .function {
          let count = ranges.count
          unit.addRanges(
            of: abbreviations.attributes(kind, &reader), rank: Int32(positions.count), budget: &budget, to: &ranges)
          if ranges.count > count { positions.append(position) }
        } else {
          abbreviations.skip(kind, &reader)
        }
        if kind.hasChildren { depth += 1 }
      }
      if depth <= 0 || positions.count == Int32.max { break }
    }
    map.add(&ranges)
    parents = Array(repeating: Self.none, count: positions.count)
    groups = Array(repeating: nil, count: positions.count)
  }

  /// The non-inlined function around an address, or `none`, and its contiguous range. O(log n).
  func outermost(at address: UInt64) -> (function: Int32, low: UInt64, high: UInt64) {
    let (rank, low, high) = map.stretch(at: address)
    return (rank, low, high)
  }

  /// The functions inlined into a function: a group for `innermost`.
  mutating func inlined(into function: Int32) -> Range<Int> {
    if let known = groups[Int(function)] { return known }
    let group = readInlined(function)
    groups[Int(function)] = group
    return group
  }

  /// The innermost function at an address in a non-inlined function. O(log n).
  func innermost(at address: UInt64, in function: Int32, _ group: Range<Int>) -> Int32 {
    let rank = inlined.rank(at: address, in: group)
    return rank == Self.none ? function : rank
  }

  /// Where the part around an address begins that has the same innermost function, if any was inlined before. O(log n).
  func start(of address: UInt64, in group: Range<Int>) -> UInt64? { inlined.start(of: address, in: group) }

  func attributes(of function: Int32) -> EntryAttributes? {
    var reader = unit.reader(from: positions[Int(function)])
    return abbreviations.kind(reader.unsigned()).map { abbreviations.attributes($0, &reader) }
  }

  /// The positions of the parameters of the function whose entry is at a position.
  func parameters(ofFunctionAt position: Int) -> [Int] {
    var reader = unit.reader(from: position)
    var found: [Int] = []
    var depth = 0
    repeat {
      let position = reader.position
      let code = reader.unsigned()
      if code == 0 {
        depth -= 1
        continue
      }
      guard let kind = abbreviations.kind(code) else { break }
      if depth == 1, kind.role == .parameter { found.append(position) }
      abbreviations.skip(kind, &reader)
      if kind.hasChildren { depth += 1 }
    } while depth > 0 && !reader.isAtEnd
    return found
  }

  func position(of function: Int32) -> Int { positions[Int(function)] }

  private mutating func readInlined(_ function: Int32) -> Range<Int> {
    ranges.removeAll(keepingCapacity: true)
    enclosing.removeAll(keepingCapacity: true)
    var current = function
    // Nested functions, as in local types.
    var others = 0
    var reader = unit.reader(from: positions[Int(function)])
    repeat {
      let position = reader.position
      let code = reader.unsigned()
      if code == 0 {
        guard let outer = enclosing.popLast() else { break }
        current = outer
        others = max(0, others - 1)
        continue
      }
      guard let kind = abbreviations.kind(code) else { break }
      var own = current
      if kind.role == .inlinedFunction, others == 0, positions.count < Int32.max {
        own = Int32(positions.count)
        unit.addRanges(of: abbreviations.attributes(kind, &reader), rank: own, budget: &budget, to: &ranges)
        positions.append(position)
        parents.append(current)
      } else {
        abbreviations.skip(kind, &reader)
      }
      if kind.hasChildren {
        enclosing.append(current)
        current = own
        if others > 0 || (kind.role == .function || kind.role == .declaration) && enclosing.count > 1 { others += 1 }
      }
    } while !enclosing.isEmpty && !reader.isAtEnd
    return inlined.add(&ranges)
  }
}
