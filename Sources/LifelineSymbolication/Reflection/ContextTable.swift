/// Which functions of a file end the box of a value, and which end what a closure captured.
///
/// The compiler gives boxes of indirect cases and of large values behind a protocol the same kind of metadata as
/// closures' contexts (swift/lib/IRGen/GenHeap.cpp, `full_boxmetadata`):
///
///   ┌───────────────────────┬──────────────────┬─────────────┬────────┬─────────┬────────────┐
///   │ function that ends it │ no witness table │ kind (1024) │ offset │ padding │ descriptor │
///   └───────────────────────┴──────────────────┴─────────────┴────────┴─────────┴────────────┘
///               8                     8               8           4        4          8
///
/// The descriptor, in swift5_capture, lists the types of the contents; a box has one.
struct ContextTable {
  /// Whether a function may end a box, by the address where it begins.
  private(set) var functions: [UInt64: Bool] = [:]

  /// Reads the pointers of the file that lead to such descriptors. O(pointers).
  init(_ file: ELFFile) {
    let data = SectionData(file)
    let pointers = PointerTable(data)
    guard let section = data.addresses(of: "swift5_capture") else { return }
    let payloads = PropertyTable.indirectPayloads(data, pointers)
    for (address, descriptor) in pointers.pointers(into: section) {
      guard address >= 32, data.word(at: address - 16) == 1024, let function = pointers.target(at: address - 32) else {
        continue
      }
      var isBoxes = false
      if data.word(at: descriptor) == 1, let type = data.target(at: descriptor &+ 12) {
        let parts = PropertyTable.references(at: type, data, pointers).kept
        isBoxes = Self.isStructured(parts, data) || payloads.contains(parts)
      }
      functions[function] = isBoxes || functions[function] == true
    }
  }

  /// Whether the function that begins at an address may end the box of a value.
  ///
  /// A function that no metadata leads to, since the optimizer made one of several, may if there are such boxes, or if
  /// the file's pointers are unknown.
  func mayEndBox(_ function: UInt64) -> Bool {
    functions[function] ?? (functions.isEmpty || functions.values.contains(true))
  }

  /// Whether it is a struct, an enum or a tuple: no class's object, function, existential or captured
  /// variable. A closure may have captured such a value, too.
  private static func isStructured(_ type: PropertyTable.Parts, _ data: SectionData) -> Bool {
    var text = type.text[...]
    while text.hasSuffix("Sg") { text = text.dropLast(2) }
    if text.hasSuffix("t") { return true }
    // Existentials, functions, boxes, native objects, weak and unowned references (Mangling.rst).
    let isReference = ["_p", "yp", "yXl", "c", "Xx", "XX", "Bo", "Bb", "Xw", "Xo", "Xu"].contains(where: text.hasSuffix)
    if isReference { return false }
    if let first = type.contexts.first { return data.contextKind(at: first) != SectionData.ContextKind.classType }
    return type.imports.first?.hasSuffix("CMn") != true
  }
}
