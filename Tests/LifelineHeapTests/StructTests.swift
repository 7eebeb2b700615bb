import Testing

@testable import LifelineHeap

/// Structs in properties, whose parts have their own names and ownership.
struct StructTests {
  private let memory = SyntheticMemory()

  private func fields(of metadata: UInt64, isOwn: Bool = true) -> [HeapField] {
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in isOwn })
    return FieldReader.fields(of: metadata, &structs, &reader)
  }

  /// A class with a number and a last property that is a struct of 24 bytes.
  private func holder(_ structure: UInt64, isOptional: Bool = false, size: Int = 24) -> UInt64 {
    let metadata = memory.addClass("Holder", [("number", "Si"), ("state", "Si")], lastSize: size)
    memory.setType(ofProperty: 1, of: memory.descriptor(of: metadata), to: structure, isOptional: isOptional)
    return metadata
  }

  @Test("A struct's parts are named after the property, each with its own offset, size and ownership")
  func parts() {
    let state = memory.addStruct(
      "State", [("name", "3App4NodeC"), ("parent", "3App4NodeCXo"), ("isOpen", "Sb")], offsets: [0, 8, 16], size: 17)
    #expect(
      fields(of: holder(state)) == [
        HeapField(name: "number", offset: 16, size: 8, content: .word, offsetWord: 48),
        HeapField(name: "state.name", offset: 24, size: 8, clearing: .never),
        HeapField(name: "state.parent", offset: 32, size: 8, ownership: .unowned, clearing: .never),
        HeapField(name: "state.isOpen", offset: 40, size: 8, content: .number),
      ])
  }

  @Test("The parts of a nested or optional struct are named the same way", arguments: [false, true])
  func nested(isOptional: Bool) {
    let link = memory.addStruct("Link", [("id", "Si"), ("owner", "3App4NodeCSg")], offsets: [0, 8], size: 16)
    let state = memory.addStruct("State", [("link", "Si"), ("other", "Si")], offsets: [0, 16], size: 24)
    memory.setType(ofProperty: 0, of: state, to: link, isOptional: isOptional)
    #expect(fields(of: holder(state)).map(\.name) == ["number", "state.link.id", "state.link.owner", "state.other"])
    #expect(fields(of: holder(state))[2].offset == 32)
  }

  @Test(
    "A property's type tells how it is cleared",
    arguments: [
      ("3App4NodeC", .never), ("3App4NodeCSg", .byNil), ("yyc", .never), ("SiYbc", .never), ("yycSg", .byNil),
      ("Say3App4NodeCG", .byEmptying), ("SDySS3App4NodeCG", .byEmptying), ("ShySiG", .byEmptying),
      ("Say3App4NodeCGSg", .byNil), ("Say3App4NodeCG_SaySiGt", .unknown), ("x", .unknown), ("Si", .unknown),
    ] as [(String, HeapField.Clearing)])
  func clearing(type: String, way: HeapField.Clearing) {
    let holder = memory.addClass("Holder", [("plain", type), ("$__lazy_storage_$_lazy", "\(type)Sg")])
    #expect(fields(of: holder).map(\.name) == ["plain", "lazy"])
    #expect(fields(of: holder).map(\.clearing) == [way, way])
  }

  @Test("Whether a class or an array of one's own type is optional is known, too")
  func clearingOfOwnTypes() {
    let node = memory.addClass("Node", [("number", "Si")])
    let holder = memory.addClass("Holder", [("node", "Si"), ("maybe", "Si"), ("list", "Si")])
    let own = memory.descriptor(of: holder), target = memory.descriptor(of: node)
    memory.setType(ofProperty: 0, of: own, to: target)
    memory.setType(ofProperty: 1, of: own, to: target, isOptional: true)
    memory.setType(ofProperty: 2, of: own, to: target, as: "Say@G")
    #expect(fields(of: holder).map(\.clearing) == [.never, .byNil, .byEmptying])
  }

  @Test("What a struct always refers to is cleared with the optional that has the struct", arguments: [false, true])
  func clearingWithValue(_ isOptional: Bool) {
    let parts = [("owner", "3App4NodeC"), ("next", "3App4NodeCSg")]
    let link = memory.addStruct("Link", parts, offsets: [0, 8], size: 16)
    let state = memory.addStruct("State", [("link", "Si"), ("other", "Si")], offsets: [0, 16], size: 24)
    memory.setType(ofProperty: 0, of: state, to: link, isOptional: isOptional)
    #expect(fields(of: holder(state))[1...2].map(\.clearing) == [isOptional ? .withValue : .never, .byNil])
  }

  @Test("An unowned reference in a struct keeps nothing alive")
  func unowned() throws {
    let state = memory.addStruct("State", [("parent", "3App4NodeCXo"), ("id", "Si")], offsets: [0, 8], size: 16)
    let holder = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x40
    memory.addObject(self.holder(state, size: 16), at: holder, [0, object, 0])
    memory.addObject(memory.addClass("Node", [("number", "Si")]), at: object, [0])
    memory.write(0x4000 - 0x60 | 1, at: object + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    #expect(graph.edges(from: try #require(graph.node(at: holder))).isEmpty)
  }

  @Test(
    "The parts of a struct in a box have the struct's name before theirs, and their own ownership",
    arguments: [HeapType.Kind.box, .closure])
  func box(kind: HeapType.Kind) throws {
    let state = memory.addStruct(
      "State", [("id", "Si"), ("node", "3App4NodeC"), ("parent", "3App4NodeCXo")], offsets: [0, 8, 16], size: 24)
    let box = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x40
    let metadata = kind == .box ? memory.addBox(of: state) : memory.addClosure(capturing: ["@"], of: state)
    memory.addObject(metadata, at: box, [0, object, object])
    memory.addObject(memory.addClass("Node", [("number", "Si")]), at: object, counts: 5, [0])
    memory.write(0x4000 - 0x60 | 1, at: object + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let node = try #require(graph.node(at: box))
    #expect(graph.type(of: node).kind == kind)
    #expect(graph.edges(from: node).map { graph.property(of: $0) } == ["State.node"])
  }

  @Test(
    "A generic struct in a box has only its name, and all of its words count",
    arguments: [("@ySSG", "Cache"), ("@y@G", "Cache"), ("@ySSGSg", nil), ("@m", nil)])
  func genericBox(type: String, name: String?) throws {
    let cache = memory.addStruct("Cache", [("id", "Si"), ("parent", "3App4NodeCXo")], offsets: [0, 8], size: 16)
    let box = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x40
    memory.addObject(memory.addClosure(capturing: [type], of: cache), at: box, [0, object, 0])
    memory.addObject(memory.addClass("Node", [("number", "Si")]), at: object, counts: 5, [0])
    memory.write(0x4000 - 0x60 | 1, at: object + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let node = try #require(graph.node(at: box))
    #expect(graph.edges(from: node).map { graph.property(of: $0) } == [name])
  }

  @Test(
    "The box of an error has the error's parts if it is the program's struct, otherwise only the error's name",
    arguments: [("App", "TransferError.node"), ("Kit", "TransferError.node"), ("Swift", "TransferError")])
  func error(module: String, name: String) throws {
    let error = memory.addStruct(
      "TransferError", [("id", "Si"), ("node", "3App4NodeC"), ("parent", "3App4NodeCXo")], offsets: [0, 8, 16],
      size: 24, in: module)
    let box = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x60
    let isWhole = name == "TransferError"
    memory.addObject(
      memory.addErrorBox(), at: box, [memory.metadata(of: error), 0, 0, object, isWhole ? 0 : object, 0, 0])
    memory.addObject(memory.addClass("Node", [("number", "Si")]), at: object, counts: 5, [0])
    memory.write(0x4000 - 0x80 | 1, at: object + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let node = try #require(graph.node(at: box))
    #expect(graph.type(of: node).kind == .other && graph.type(of: node).name == "(error)")
    #expect(graph.edges(from: node).map { graph.property(of: $0) } == [name])
  }

  @Test(
    "A struct is not split if it is the toolchain's, does not fit, or has parts at impossible offsets")
  func whole() {
    let plain = [(name: "a", type: "3App4NodeC"), (name: "b", type: "3App4NodeC")]
    let structs = [
      (memory.addStruct("Array", plain, offsets: [0, 8], size: 16, in: "Swift"), 24),
      (memory.addStruct("Wide", plain, offsets: [0, 24], size: 32), 24),
      (memory.addStruct("Odd", plain, offsets: [8, 16], size: 24), 24),
      (memory.addStruct("Far", plain, offsets: [0, 64], size: 16), 16),
      (memory.addStruct("Same", plain, offsets: [0, 0], size: 16), 16),
    ]
    for (structure, size) in structs {
      #expect(fields(of: holder(structure, size: size)).map(\.name) == ["number", "state"])
    }
    let other = memory.addStruct("State", plain, offsets: [0, 8], size: 16)
    #expect(fields(of: holder(other)).count == 3)
    #expect(fields(of: holder(other), isOwn: false).count == 2)
  }

  /// The second property of a class, of a type that cannot be copied and has a name.
  private func uncopied(_ typeName: String, isOwn: Bool = true) -> [HeapField] {
    let holder = memory.addClass("Holder", [("number", "Si"), ("state", "\u{9}abcd")], lastSize: 32)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in isOwn }, typeName: { _ in typeName })
    return FieldReader.fields(of: holder, &structs, &reader)
  }

  @Test("What a mutex protects is named after the property, and is no constant")
  func mutex() {
    _ = memory.addStruct(
      "State", [("count", "Si"), ("parent", "3App4NodeCXo")], offsets: [0, 8], size: 16)
    #expect(
      uncopied("Synchronization.Mutex<App.State>").dropFirst() == [
        HeapField(name: "state", offset: 24, size: 8, content: .number),
        HeapField(name: "state.count", offset: 32, size: 8, content: .word),
        HeapField(name: "state.parent", offset: 40, size: 16, ownership: .unowned, clearing: .never),
      ])
    #expect(
      uncopied("Synchronization.Mutex<Swift.Optional<App.Other>>").dropFirst().map(\.clearing) == [
        .unknown, .protectedByNil,
      ])
    #expect(uncopied("Synchronization.Mutex<[Swift.String : App.Other]>").last?.clearing == .byEmptying)
  }

  @Test("The parts of a struct that cannot be copied are named the same way, if only one has the name")
  func uncopied() {
    _ = memory.addStruct("Slot", [("count", "Si"), ("owner", "3App4NodeCSg")], offsets: [0, 8], size: 16)
    let names = ["number", "state.count", "state.owner"]
    #expect(uncopied("App.Slot").map(\.name) == names && uncopied("Swift.Optional<App.Slot>").map(\.name) == names)
    #expect(uncopied("App.Other").map(\.name) == ["number", "state"])
    #expect(uncopied("App.Slot", isOwn: false).map(\.name) == ["number", "state"])
    _ = memory.addStruct("Slot", [("owner", "3App4NodeCSg")], offsets: [0], size: 8)
    #expect(uncopied("App.Slot").map(\.name) == ["number", "state"])
  }
}
