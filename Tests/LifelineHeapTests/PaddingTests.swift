import Testing

@testable import LifelineHeap

/// What follows a value's last byte, up to the next value: it is left over from earlier contents of the memory.
struct PaddingTests {
  private let memory = SyntheticMemory()

  /// The second property of a class, of an enum with payloads; it has 24 bytes.
  private func property(size: Int, isOptional: Bool = false, in module: String = "App") -> [HeapField] {
    let holder = memory.addClass("Holder", [("number", "Si"), ("state", "Si")], lastSize: 24)
    let state = memory.addEnum("State", payloads: 2, size: size, in: module)
    memory.setType(ofProperty: 1, of: memory.descriptor(of: holder), to: state, isOptional: isOptional)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in true })
    return Array(FieldReader.fields(of: holder, &structs, &reader).dropFirst())
  }

  @Test("The word that begins with an enum's tag holds no reference, nor do those after it", arguments: [false, true])
  func tag(isOptional: Bool) {
    let clearing: HeapField.Clearing = isOptional ? .byNil : .unknown
    let words = HeapField(
      name: "state", offset: 24, size: 16, content: .anything, clearing: clearing, offsetWord: 56)
    let end = HeapField(name: "state", offset: 40, size: 8, content: .number, clearing: clearing)
    #expect(property(size: 17, isOptional: isOptional) == [words, end])
    #expect(property(size: 16, isOptional: isOptional) == [words, end])
  }

  @Test("An enum that is shorter than a reference holds none")
  func short() {
    #expect(
      property(size: 2) == [HeapField(name: "state", offset: 24, size: 24, content: .number, offsetWord: 56)])
  }

  @Test(
    "All of it counts if half a pointer may be in its last bytes, if it fits exactly, or if it is the toolchain's",
    arguments: [(20, "App"), (24, "App"), (32, "App"), (17, "Swift")])
  func whole(size: Int, module: String) {
    #expect(
      property(size: size, in: module) == [
        HeapField(name: "state", offset: 24, size: 24, content: .anything, offsetWord: 56)
      ])
  }
}
