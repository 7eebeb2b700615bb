import Testing

@testable import LifelineHeap

/// Sizes of captured values, by their mangled types: where a capture ends shows where the next one is.
struct ValueLayoutTests {
  private let memory = SyntheticMemory()

  /// Where the captures of a context end, 0 if that is not known. "@" in a type is the descriptor.
  private func end(_ types: [String], of descriptor: UInt64 = 0, start: Int = 16) -> Int {
    layout(types, of: descriptor, start: start).end
  }

  private func layout(_ types: [String], of descriptor: UInt64, start: Int = 16) -> (references: [HeapField], end: Int)
  {
    let closure = memory.addClosure(capturing: types, of: descriptor)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { $0 < SyntheticMemory.system })
    return CaptureReader.layout(reader.word(at: closure + 16)!, start: start, &structs, &reader)
  }

  /// The size of a value, and of an optional one in another optional.
  private func expectSize<Value>(_ type: String, _: Value.Type) {
    #expect(end([type]) == 16 + MemoryLayout<Value>.size, "\(type)")
    #expect(end([type + "SgSg"]) == 16 + MemoryLayout<Value??>.size, "\(type)")
  }

  @Test("A type of the standard library has the size that MemoryLayout says, optional or not")
  func standard() {
    expectSize("Si", Int.self)
    expectSize("Sb", Bool.self)
    expectSize("Sf", Float.self)
    expectSize("SS", String.self)
    expectSize("SJ", Character.self)
    expectSize("Ss", Substring.self)
    expectSize("SO", ObjectIdentifier.self)
    expectSize("SV", UnsafeRawPointer.self)
    expectSize("SpySiG", UnsafeMutablePointer<Int>.self)
    expectSize("SW", UnsafeRawBufferPointer.self)
    expectSize("SrySiG", UnsafeMutableBufferPointer<Int>.self)
    expectSize("SaySiG", [Int].self)
    expectSize("SDyS2iG", [Int: Int].self)
    expectSize("SnySiG", Range<Int>.self)
    expectSize("SNySdG", ClosedRange<Double>.self)
    expectSize("ScTyytSiG", Task<Void, Never>.self)
    expectSize("ScSySiG", AsyncStream<Int>.self)
    expectSize("ScP", TaskPriority.self)
    expectSize("Sce", UnownedSerialExecutor.self)
    expectSize("yp", Any.self)
    expectSize("yXl", AnyObject.self)
    expectSize("ypXmT", Any.Type.self)
    expectSize("yXlXmT", AnyClass.self)
    expectSize("SH_p", (any Hashable).self)
    expectSize("ScA_p", (any Actor).self)
    expectSize("Si_Sbt", (Int, Bool).self)
    expectSize("Sb_Sit", (Bool, Int).self)
    // Functions are optional once in a capture, since types of functions are read as a whole.
    #expect(end(["S2iIegyd_"]) == 16 + MemoryLayout<(Int) -> Int>.size)
    #expect(end(["S2iIetCyd_Sg"]) == 16 + MemoryLayout<(@convention(c) (Int) -> Int)?>.size)
    #expect(end(["s5Error_pIegzo_"]) == 16 + MemoryLayout<() throws -> Void>.size)
    #expect(end(["IegzC_"]) == 0)
    // Several protocols of the library's do not occur alone.
    #expect(end(["SQ_SHp"]) == 16 + MemoryLayout<any Hashable>.size + 8)
  }

  @Test("A library's type has the size that its metadata in the library says, however deep its optionals are")
  func library() {
    let type = memory.inLibrary { memory.addEnum("State", payloads: 2, size: 9, extraInhabitants: 1, in: "Swift") }
    #expect(end(["@"], of: type) == 25)
    #expect(end(["@Sg"], of: type) == 25)
    #expect(end(["@SgSg"], of: type) == 26)
    #expect(end(["@_Sbt"], of: type) == 26)
    // A type of the program or of a library of which neither metadata nor properties are known.
    #expect(end(["@"], of: memory.addContext(17)) == 0)
    #expect(end(["@"], of: memory.inLibrary { memory.addContext(17) }) == 0)
  }

  @Test("A generic struct has the properties that its arguments make of it")
  func genericStruct() {
    let pair = memory.addGeneric([("first", "x"), ("flag", "Sb"), ("second", "q_")])
    #expect(end(["@ySiSbG"], of: pair) == 16 + 10)
    #expect(end(["@ySiSSG"], of: pair) == 16 + 32)
    #expect(end(["@yS2iGSg"], of: pair) == 16 + 24)
    #expect(end(["@yAAySbSfGSiG"], of: pair) == 16 + 24)
    #expect(end(["@yS2i_G"], of: pair) == 16 + 24)
    // Without an argument, or with one of unknown size.
    #expect(end(["@ySiG"], of: pair) == 0)
    #expect(end(["@yxSiG"], of: pair) == 0)
    #expect(end(["@"], of: pair) == 0)
    // A function in a property, and a type that is made of the argument.
    #expect(end(["@ySiG"], of: memory.addGeneric([("body", "xyYbc"), ("value", "x")])) == 16 + 24)
    #expect(end(["@ySiG"], of: memory.addGeneric([("value", "7ElementQz")])) == 0)
    // A library's bridged object, address and bytes.
    #expect(end(["@ySiG"], of: memory.addGeneric([("a", "Bb"), ("b", "Bp"), ("c", "Bi8_"), ("d", "Bw")])) == 16 + 32)
    #expect(end(["@ySiG"], of: memory.addGeneric([("a", "Bi7_")])) == 0)
  }

  @Test("A generic enum with several payloads has a byte that tells them apart, with one it may need none")
  func genericEnum() {
    let result = memory.addGeneric([("success", "x"), ("failure", "q_")], payloads: 2)
    #expect(end(["@ySiSSG"], of: result) == 16 + 17)
    #expect(end(["@ySiSSGSg"], of: result) == 16 + 17)
    #expect(end(["@ySiSbG"], of: memory.addGeneric([("some", "x"), ("none", "")], payloads: 1)) == 16 + 9)
    #expect(end(["@ySSSbG"], of: memory.addGeneric([("some", "x"), ("none", "")], payloads: 1)) == 16 + 16)
    // The arguments may be classes only, no payload is generic, or a case without a payload is beside several.
    #expect(end(["@yS2iG"], of: memory.addGeneric([("a", "x"), ("b", "q_")], payloads: 2, requirements: 1)) == 0)
    #expect(end(["@yS2iG"], of: memory.addGeneric([("a", "Si"), ("b", "SS")], payloads: 2)) == 0)
    #expect(end(["@yS2iG"], of: memory.addGeneric([("a", "x"), ("b", "q_"), ("c", "")], payloads: 2)) == 0)
  }

  @Test("Without metadata a type has its properties, or a byte for its cases")
  func withoutMetadata() {
    #expect(end(["@"], of: memory.addEnum("State", payloads: 0, cases: ["a", "b"])) == 16 + 1)
    #expect(end(["@SgSg"], of: memory.addEnum("State", payloads: 0, cases: ["a", "b"])) == 16 + 1)
    #expect(end(["@"], of: memory.addEnum("State", payloads: 0, cases: ["a"])) == 0)
    let point = memory.addClass("Point", [("x", "Si")])
    #expect(end(["@XDXMT"], of: memory.descriptor(of: point)) == 16 + 8)
  }

  @Test("A generic type that contains itself has no size, and does not take forever")
  func endless() {
    let pair = memory.addGeneric([("first", ""), ("second", "x")])
    memory.setType(ofProperty: 0, of: pair, to: pair, as: "@yxG")
    #expect(end(["@ySiG"], of: pair) == 0)
  }

  @Test("Types of invalid memory that double their size, or their number, at each step have no size")
  func hostile() {
    let deep = String(repeating: "Sny", count: 300) + "Si" + String(repeating: "G", count: 300)
    #expect(end([deep]) == 0)
    let names = (0..<60).map { "part\($0)" }
    let wide = memory.addGeneric(names.map { ($0, "") })
    for index in names.indices { memory.setType(ofProperty: index, of: wide, to: wide, as: "@yxG") }
    #expect(end(["@ySiG"], of: wide) == 0)
  }

  @Test("What C declares, without metadata, has no size: its enums are not a byte")
  func ofC() {
    #expect(end(["@"], of: memory.addEnum("level", payloads: 0, cases: ["low", "high"], in: "__C")) == 0)
  }

  @Test("An object or an error among protocols decides about the size")
  func protocols() {
    let classes = memory.addContext(0x0003), values = memory.addContext(0x1_0003), error = memory.addContext(0x5_0003)
    #expect(end(["@_AAp"], of: classes) == 16 + 24)
    #expect(end(["@_AAp"], of: values) == 16 + 48)
    #expect(end(["@_Xl"], of: values) == 16 + 16)
    #expect(end(["@_pXmT"], of: values) == 16 + 16)
    #expect(end(["@_p"], of: error) == 16 + 8)
    #expect(end(["@_pSg"], of: error) == 16 + 8)
    #expect(end(["@_SHp"], of: error) == 16 + 48)
  }

  @Test("Where the compiler did not know the first capture's size, the captures begin after the header")
  func resilient() {
    #expect(end(["ScP", "Si"], start: 0) == 32)
    #expect(end(["ScP", "Si"], start: 8) == 0)
  }

  @Test("In a tuple of a library's value and an unowned reference the reference is not kept")
  func unowned() {
    let date = memory.inLibrary { memory.addStruct("Date", [], offsets: [], size: 8, in: "Foundation") }
    let reference = [HeapField(name: "", offset: 24, size: 8, ownership: .unowned)]
    #expect(layout(["@_yXlXot"], of: date).references == reference)
    #expect(layout(["@", "yXlXo"], of: date).references == reference)
  }
}
