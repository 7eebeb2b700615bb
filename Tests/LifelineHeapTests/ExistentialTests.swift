import Testing

@testable import LifelineHeap

/// Values of `Any` and of protocol types, whose buffer may be only partly in use.
struct ExistentialTests {
  private let memory = SyntheticMemory()
  private let holder = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x210

  /// Whether an object with one property of this type, and these words in it, holds another object.
  private func holds(_ type: String, _ words: [UInt64], lastSize: Int? = nil) throws -> Bool {
    let heap = SyntheticMemory.heap
    let node = memory.addClass("Node", [("number", "Si")])
    let metadata = memory.addClass("Holder", [("value", type)], lastSize: lastSize ?? words.count * 8)
    memory.addObject(metadata, at: holder, words)
    let size = UInt64((16 + words.count * 8 + 8 + 15) & ~15)
    memory.write(object - 16 - (heap + size) | 1, at: heap + size + 8)
    memory.addObject(node, at: object, [0])
    memory.write(heap + 0x4000 - (object + 32) | 1, at: object + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let from = try #require(graph.node(at: holder)), target = try #require(graph.node(at: object))
    return graph.edges(from: from).contains { graph.target(of: $0) == target }
  }

  @Test(
    "Only the words that the value occupies count in an existential buffer",
    arguments: [
      (size: 8, word: 0, isHeld: true), (8, 1, false), (16, 1, true), (12, 1, true), (16, 2, false), (0, 0, false),
    ])
  func inBuffer(size: Int, word: Int, isHeld: Bool) throws {
    var words: [UInt64] = [0, 0, 0, memory.addStruct(size: size, isInBuffer: true)]
    words[word] = object
    #expect(try holds("yp", words) == isHeld)
    words.append(0)
    #expect(try holds("3App1PC_p", words) == isHeld)
  }

  @Test(
    "A value too large for the buffer is in a box, to which the first word points", arguments: [(0, true), (1, false)])
  func boxed(word: Int, isHeld: Bool) throws {
    var words: [UInt64] = [0, 0, 0, memory.addStruct(size: 64, isInBuffer: false)]
    words[word] = object
    #expect(try holds("yp", words) == isHeld)
  }

  @Test("A closure's function is not read from the padding after a Bool", arguments: ["Sb", "Si"])
  func padding(type: String) throws {
    let metadata = memory.addClass("Holder", [("first", "Si"), ("isOpen", type), ("node", "3App4NodeC")])
    memory.addObject(metadata, at: holder, [0, SyntheticMemory.code + 0x101, holder])
    memory.write(0x4000 - 0x30 | 1, at: holder + 40)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    #expect(graph.edges(from: try #require(graph.node(at: holder))).count == 1)
    #expect(graph.edgeFunctions.isEmpty == (type == "Sb"))
  }

  @Test(
    "The rest of an instance's last word has what was in the memory before, and holds nothing",
    arguments: [(1, false), (7, false), (8, true)])
  func afterEnd(size: Int, isHeld: Bool) throws {
    #expect(try holds("3App4FlagV", [object], lastSize: size) == isHeld)
    #expect(try holds("3App4FlagV", [0, object], lastSize: 8 + size) == isHeld)
  }

  @Test(
    "The first word of a String holds nothing: without a value it has what was there before",
    arguments: ["SS", "SSSg"])
  func text(type: String) throws {
    #expect(try !holds(type, [object, 0]))
    #expect(try holds(type, [0, object]))
  }

  @Test("An ObjectIdentifier holds nothing, as a property, in a struct, and as an element", arguments: ["SO", "SOSg"])
  func identity(type: String) throws { #expect(try !holds(type, [object])) }

  @Test(
    "A number that is nil has what was in the memory before, in its word and in the one that tells",
    arguments: ["SiSg", "SuSg", "SdSg"])
  func number(type: String) throws {
    #expect(try holds(type, [object, 0], lastSize: 9))
    #expect(try !holds(type, [object, 1], lastSize: 9))
    #expect(try !holds(type, [object, 0x101], lastSize: 16))
    #expect(try holds(type, [object, 0x100], lastSize: 16))
    #expect(try !holds(type, [0, object & ~255], lastSize: 16))
    #expect(try holds("Si", [object, 1], lastSize: 9))
    #expect(try holds("SVSg", [object, 1], lastSize: 9))
  }

  @Test("An optional that is nil holds nothing")
  func none() throws { #expect(try !holds("ypSg", [object, object, object, 0])) }

  @Test("All words count if the value's type is unreadable, and in other types of that size")
  func unknown() throws {
    #expect(try holds("yp", [0, 0, object, 0x1234_5678]))
    #expect(try holds("3App3BoxV", [0, 0, object, memory.addStruct(size: 8, isInBuffer: true)]))
  }

  @Test(
    "A property's type determines its content: an object, one word, a number or anything",
    arguments: [
      ("3App4NodeC", .object), ("3App4NodeCSg", .object), ("yXl", .object), ("yXlSg", .object),
      ("3App3BoxV", .anything),
      ("3App4KindO", .anything), ("x", .anything), ("yycSg", .anything), ("Sb", .number),
      ("Si", .word), ("Sd", .word), ("Sv", .word), ("SiSg", .anything),
      ("Sf", .number), ("SfSg", .number),
    ] as [(String, HeapField.Content)])
  func content(type: String, content: HeapField.Content) throws {
    let metadata = memory.addClass("Holder", [("value", type)])
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [content])
  }

  @Test(
    "A number of the standard library is one word or less, which keeps nothing alive",
    arguments: [
      ("UInt8", false, .number), ("UInt8", true, .number), ("Int16", false, .number), ("Int32", false, .number),
      ("UInt64", false, .word), ("UInt64", true, .anything), ("Other", false, .anything),
    ] as [(String, Bool, HeapField.Content)])
  func numbers(name: String, isOptional: Bool, content: HeapField.Content) throws {
    let metadata = memory.addClass("Holder", [("value", "x")])
    memory.setType(
      ofProperty: 0, of: memory.descriptor(of: metadata),
      to: memory.addStruct(name, [], offsets: [], size: 8, in: "Swift"),
      isOptional: isOptional)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [content])
  }

  @Test("A date is a number, optional or not", arguments: [false, true])
  func date(isOptional: Bool) throws {
    let metadata = memory.addClass("Run", [("value", "x")], lastSize: 16)
    memory.setType(
      ofProperty: 0, of: memory.descriptor(of: metadata),
      to: memory.addStruct("Date", [("time", "Sd")], offsets: [0], size: 8, in: "FoundationEssentials"),
      isOptional: isOptional)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [.number])
  }

  @Test(
    "An index of a string and a range of them are numbers, optional or not",
    arguments: [
      ("Index", "@", .number), ("Index", "Sny@G", .number), ("Index", "SNy@G", .number),
      ("Other", "@", .anything), ("Other", "Sny@G", .anything), ("Index", "Say@G", .anything),
    ] as [(String, String, HeapField.Content)], [false, true])
  func stringIndex(type: (name: String, mangled: String, content: HeapField.Content), isOptional: Bool) {
    let metadata = memory.addClass("Parts", [("range", "x")], lastSize: 24)
    memory.setType(
      ofProperty: 0, of: memory.descriptor(of: metadata),
      to: memory.addStruct("String.\(type.name)", [], offsets: [], size: 8, in: "Swift"), isOptional: isOptional,
      as: type.mangled)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [type.content])
  }

  @Test(
    "A protocol with arguments that only classes conform to is an object, optional or not",
    arguments: [
      ("#SiXj", 16, .object), ("#SiXj", 40, .anything), ("@_p", 16, .object), ("Say#SiXjG", 16, .anything),
      ("#SiXj_Sit", 16, .anything),
    ] as [(String, Int, HeapField.Content)], [false, true])
  func parameterized(type: (mangled: String, size: Int, content: HeapField.Content), isOptional: Bool) {
    let metadata = memory.addClass("Reader", [("feed", "x")], lastSize: type.size)
    memory.setType(
      ofProperty: 0, of: memory.descriptor(of: metadata), to: memory.descriptor(of: metadata), isOptional: isOptional,
      as: type.mangled)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [type.content])
  }

  @Test("Two adjacent numbers of four bytes may be the halves of an address")
  func halves() throws {
    let metadata = memory.addClass("Holder", [("value", "x")], lastSize: 4)
    memory.setType(
      ofProperty: 0, of: memory.descriptor(of: metadata),
      to: memory.addStruct("UInt32", [], offsets: [], size: 4, in: "Swift"))
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [.anything])
  }

  @Test("An enum without payloads is a number, optional or not", arguments: [0, 1] as [UInt32], [false, true])
  func plainEnum(payloads: UInt32, isOptional: Bool) throws {
    let metadata = memory.addClass("Holder", [("value", "x")])
    memory.setType(
      ofProperty: 0, of: memory.descriptor(of: metadata), to: memory.addEnum("State", payloads: payloads),
      isOptional: isOptional)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in false })
    #expect(
      FieldReader.fields(of: metadata, &structs, &reader).map(\.content) == [payloads == 0 ? .number : .anything])
  }
}
