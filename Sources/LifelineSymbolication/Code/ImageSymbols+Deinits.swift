extension ImageSymbols {
  /// Longer code is not examined.
  private static let longest: UInt64 = 1 << 16

  /// What the deinit of a class calls that a person wrote; nil where no line tells who wrote it.
  ///
  /// Calls are recognized by their first byte, wherever an instruction begins: a direct one leads to the beginning of a
  /// function, and an indirect one has a line of the source. x86-64 only. A closure that is given to a function is not
  /// examined, as it may be the condition of an assertion.
  mutating func callsInDeinit(of className: String, _ texts: StringTable) -> DeinitCalls? {
    guard isDeinitWritten(className) == true else { return nil }
    var demangler = Demangler()
    var calls = DeinitCalls()
    for code in deinits[className] ?? [] where UInt64(code.count) <= Self.longest {
      guard let bytes = machineCode?.bytes(code.lowerBound, UInt64(code.count)) else { continue }
      for place in bytes.indices.dropLast() {
        let address = code.lowerBound + UInt64(place)
        let called = bytes[place] == 0xE8 ? function(called: bytes[(place + 1)...].prefix(4), address + 5, texts) : nil
        // call *register or *memory
        let isIndirect =
          bytes[place] == 0xFF && bytes[place + 1] >> 3 & 7 == 2 && !Self.isOfValue(bytes[..<place].suffix(16))
        guard called != nil || isIndirect else { continue }
        var locations: [CodeLocation] = []
        _ = locate(address, texts, into: &locations)
        if isIndirect, locations.first?.column ?? 0 > 0 { calls.isIndirect = true }
        let inlined = locations.dropLast().map { texts.string($0.name) }
        calls.types.formUnion((inlined + [called ?? ""]).compactMap { Self.type(ofMethod: demangler.shortName($0)) })
      }
    }
    return calls
  }

  /// Whether code before an indirect call reads the table of functions for values of a generic type, whose address is
  /// in the word before the type's metadata (TypeLayout.rst): the call ends such a property, which nobody wrote.
  private static func isOfValue(_ code: ArraySlice<UInt8>) -> Bool {
    code.indices.dropLast(3).contains { place in
      // mov register, [register - 8]; with the frame pointer it is a variable, and 4 means another form.
      let operand = code[place + 2]
      return code[place] & 0xF8 == 0x48 && code[place + 1] == 0x8B && operand >> 6 == 1 && operand & 7 != 5
        && operand & 7 != 4 && code[place + 3] == 0xF8
    }
  }

  /// The name of the function that begins where a direct call leads.
  private mutating func function(
    called displacement: ArraySlice<UInt8>, _ end: UInt64, _ texts: StringTable
  ) -> String? {
    guard displacement.count == 4 else { return nil }
    let distance = displacement.reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    let target = end &+ UInt64(bitPattern: Int64(Int32(bitPattern: distance)))
    guard let symbol = symbol(at: target, texts), symbol.start == target else { return nil }
    return texts.string(symbol.name)
  }

  /// "Bag" of "Bag<A>.dispose()"; nil for other functions: initializers, accessors, closures, global ones.
  private static func type(ofMethod name: String) -> String? {
    let path = String(name.prefix { $0 != "(" })
    guard path.utf8.count < name.utf8.count, !path.contains(" "), let dot = path.lastIndex(of: "."),
      !["init", "__allocating_init"].contains(path[path.index(after: dot)...])
    else { return nil }
    return path[..<dot].split(separator: ".").map { $0.prefix { $0 != "<" } }.joined(separator: ".")
  }
}
