import Testing

@testable import LifelineHeap

/// What closures captured unowned or weakly: it is not kept alive by them.
struct CaptureTests {
  private let memory = SyntheticMemory()
  private static let context = SyntheticMemory.heap + 0x10
  private static let first = SyntheticMemory.heap + 0x80, second = SyntheticMemory.heap + 0xA0

  /// Counts of an object with an unowned reference: two, of which one is its own.
  private static let unowned: UInt64 = 5

  /// Letters of the objects that a context of these words refers to.
  private func kept(
    _ types: [String], _ words: [UInt64], counts: UInt64 = unowned, genericArguments: UInt32 = 0
  ) throws -> String {
    let node = memory.addClass("Node", [("number", "Si")])
    let closure = memory.addClosure(
      capturing: types, of: memory.descriptor(of: node), genericArguments: genericArguments)
    // malloc rounds up to 16 bytes, with 8 of its own; no block has less than 32.
    let size = UInt64(16 + words.count * 8 + 8 + 15) & ~15, rest = Self.first - Self.context - size
    memory.addObject(closure, at: Self.context, words)
    if rest >= 32 { memory.write(rest | 1, at: Self.context + size - 8) }
    memory.addObject(node, at: Self.first, counts: counts, [0])
    memory.addObject(node, at: Self.second, [0])
    memory.write(0x4000 - 0xC0 | 1, at: Self.second + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let context = try #require(graph.node(at: Self.context))
    return graph.edges(from: context).map { edge in
      switch graph.addresses[graph.target(of: edge)] {
      case Self.first: "a"
      case Self.second: "b"
      default: "?"
      }
    }.joined()
  }

  @Test("An unowned capture keeps nothing alive, the captures around it do")
  func unowned() throws {
    #expect(try kept(["@Xo"], [Self.first]) == "")
    #expect(try kept(["@", "@Xo"], [Self.second, Self.first]) == "b")
    #expect(try kept(["@Xo", "@"], [Self.first, Self.second]) == "b")
    #expect(try kept(["@", "@"], [Self.second, Self.first]) == "ba")
  }

  /// The addresses that a holder of a weak reference and one to the second object, and the weak reference's side table,
  /// refer to.
  private func targets(of holder: UInt64, counts: UInt64) throws -> [[UInt64]] {
    let sideTable = SyntheticMemory.heap + 0x40
    memory.addObject(holder, at: Self.context, [sideTable, Self.second])
    // Another object is where the table's was, and an old address follows the table in its block.
    memory.addObject(Self.first, at: sideTable, counts: 0, [counts, 1, Self.first, 0, 0])
    let node = memory.addClass("Node", [("number", "Si")])
    memory.addObject(node, at: Self.first, [0])
    memory.addObject(node, at: Self.second, [0])
    memory.write(0x4000 - 0xC0 | 1, at: Self.second + 24)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    return try [Self.context, sideTable].map { address in
      graph.edges(from: try #require(graph.node(at: address))).map { graph.addresses[graph.target(of: $0)] }
    }
  }

  private static let freed: UInt64 = 0x1_0000_0001

  @Test("A weak reference to a freed object keeps nothing alive, nor does the side table it refers to")
  func weak() throws {
    let closure = memory.addClosure(
      capturing: ["@SgXw", "@"], of: memory.descriptor(of: memory.addClass("Node", [("number", "Si")])))
    #expect(try targets(of: closure, counts: Self.freed) == [[Self.second], []])
    let view = memory.addClass("View", [("owner", "3App4NodeCSgXw"), ("next", "3App4NodeC")])
    #expect(try targets(of: view, counts: Self.freed) == [[Self.second], []])
  }

  @Test("A capture that is described as weak counts if it does not refer to a side table")
  func notWeak() throws {
    #expect(try kept(["@SgXw"], [Self.first]) == "a")
    let closure = memory.addClosure(
      capturing: ["@SgXw", "@"], of: memory.descriptor(of: memory.addClass("Node", [("number", "Si")])))
    let all = try targets(of: closure, counts: 3)
    #expect(all == [[Self.second, SyntheticMemory.heap + 0x40], [Self.first, Self.first]])
  }

  @Test(
    "It is found after captures of any known size",
    arguments: [
      (["Si"], 1), (["SS"], 2), (["Sb"], 1), (["Sb", "Sf"], 1), (["y@c"], 2), (["yycSg"], 2), (["Say@G"], 1),
      (["SDySS@G"], 1), (["@Sg"], 1), (["@ySiG"], 1), (["SiXb"], 1), (["yXl"], 1), (["@Xw"], 1),
      (["Ieg_"], 2), (["@yytGIeghgo_Sg"], 2), (["yp_Sit_pIegHzo_"], 2), (["ytIeAgHr_"], 2), (["yp"], 4), (["ypSg"], 4),
      (["ScA_pSg"], 2), (["SH_p"], 5), (["s5Error_pSg"], 1), (["SJSg"], 2), (["Ss"], 4), (["SPy@GSg"], 1),
      (["SpySiG"], 1), (["SiXx"], 1), (["x_lyxGXX"], 1), (["@XMT"], 1), (["SiSg"], 2), (["SfSg", "Sb"], 1),
      (["SbSg", "Sb"], 1),
      (["Si_Sit"], 2), (["Sb_Sft"], 1), (["Si_Sb_Sbtt", "Sb"], 2), (["Si3key_@5valueSb4flagt", "Sb"], 3),
      (["Si_@t_@Sgt"], 3), (["SDySS@G_ShySiGSVSgt"], 3), (["@_SiAAt"], 3), (["Si1a_@Sg1bACt"], 3), (["yXl_@ySiGt"], 2),
    ])
  func after(types: [String], words: Int) throws {
    let before = [UInt64](repeating: 0, count: words)
    #expect(try kept(types + ["@Xo", "@"], before + [Self.first, Self.second]) == "b")
  }

  @Test(
    "It is found after an enum of the program's own, which in an optional may be a byte longer",
    arguments: [
      (16, 0, "@", 32), (17, 0, "@", 40), (4, 0, "@", 24), (16, 1, "@Sg", 32), (16, 0, "@Sg", 40), (15, 0, "@Sg", 32),
    ] as [(Int, UInt32, String, Int)])
  func afterEnum(size: Int, extraInhabitants: UInt32, type: String, offset: Int) {
    let state = memory.addEnum("State", payloads: 2, size: size, extraInhabitants: extraInhabitants)
    let closure = memory.addClosure(capturing: [type, "3App4NodeCXo", "Sb"], of: state)
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in true })
    let captures = reader.word(at: closure + 16)!
    let layout = CaptureReader.layout(captures, start: 16, &structs, &reader)
    #expect(layout.references == [HeapField(name: "", offset: offset, size: 8, ownership: .unowned)])
    #expect(layout.end == offset + 9)
  }

  @Test(
    "After a capture of unknown size, all count",
    arguments: [
      "@_p", "ypXo", "x", "@m", "IetB_", "IegC_", "Ig", "SiXMt", "Si_xt", "Si_SitSg", "SixSit", "Si_Si", "_Sit", "Sit",
      "t", "Si_AAt", "@_ABt", "Si_Sgt",
      "Si_SiGt", "Si_99999999999999999999Sit", "Si_900Sit", "Si_01aSit", "yyc_Sit", "Si_SoCt", "Si_S", "Si1a_@Sg1bADt",
    ])
  func unknown(type: String) throws {
    #expect(try kept([type, "@Xo"], [0, Self.first]) == "a")
  }

  @Test("Whatever a type's text is, its size is known or not")
  func anyText() {
    let pieces = [
      "@", "Si", "SS", "_", "t", "y", "G", "Sg", "S", "A", "AA", "AZ", "Xo", "X", "1a", "9", "0", "x", "yp",
    ]
    var state: UInt64 = 1, known = 0
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<1_000 {
      let memory = SyntheticMemory()
      let type = (0...next(9)).map { _ in pieces[next(pieces.count)] }.joined()
      let node = memory.addClass("Node", [("number", "Si")])
      let closure = memory.addClosure(capturing: [type], of: memory.descriptor(of: node))
      var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in true })
      let layout = CaptureReader.layout(reader.word(at: closure + 16)!, start: 16, &structs, &reader)
      #expect(layout.references.allSatisfy { $0.offset >= 16 && $0.offset + $0.size <= layout.end }, "\(type)")
      if layout.end > 0 { known += 1 }
    }
    #expect(known > 20)
  }

  @Test(
    "A value of a protocol type has two words if only classes conform to it, otherwise five",
    arguments: [
      // Flags of the protocol: class-constrained or not, and Error.
      (flags: 0x0003, type: "@_p", end: 32), (0x0003, "@_pSgXw", 32), (0x0003, "@_pXo", 32), (0x1_0003, "@_p", 56),
      (0x1_0003, "@_pSg", 56), (0x9_0003, "@_p", 0), (0x1_0003, "@_pXo", 0), (0x0011, "@_p", 0),
    ] as [(UInt32, String, Int)])
  func protocolType(flags: UInt32, type: String, end: Int) {
    let closure = memory.addClosure(capturing: [type], of: memory.addContext(flags))
    var reader = MemoryReader(memory), structs = StructReader(isOwn: { _ in true })
    let layout = CaptureReader.layout(reader.word(at: closure + 16)!, start: 16, &structs, &reader)
    #expect(layout.end == end)
    let ownership: HeapField.Ownership = type.hasSuffix("Xo") ? .unowned : type.hasSuffix("Xw") ? .weak : .strong
    let isClass = end == 32
    let field = HeapField(
      name: "", offset: 16, size: isClass ? 8 : 40, ownership: ownership, content: isClass ? .object : .existential)
    #expect(layout.references == (end == 0 ? [] : [field]))
  }

  @Test("In a tuple each reference counts or not by itself")
  func tuple() throws {
    #expect(try kept(["@Xo_Sit"], [Self.first, 0]) == "")
    #expect(try kept(["@_@Xot"], [Self.second, Self.first]) == "b")
    #expect(try kept(["@Xo4node_@Si_Sitt"], [Self.first, Self.second, 0, 0]) == "b")
  }

  @Test("What follows the last capture in the block that malloc gave is old memory, unless that is larger than usual")
  func end() throws {
    /// The number of references of a context with the object's address in some of its words.
    func kept(_ types: [String], _ words: [Bool]) throws -> Int {
      let memory = SyntheticMemory()
      let node = memory.addClass("Node", [("number", "Si")])
      let closure = memory.addClosure(capturing: types, of: memory.descriptor(of: node))
      let object = Self.context + UInt64((words.count * 8 + 24 + 15) & ~15)
      memory.addObject(closure, at: Self.context, words.map { $0 ? object : 0 })
      memory.addObject(node, at: object, [0])
      memory.write(0x4000 - (object + 32 - SyntheticMemory.heap) | 1, at: object + 24)
      let graph = HeapScanner(HeapMemory(memory)).graph()
      return graph.edges(from: try #require(graph.node(at: Self.context))).count
    }
    #expect(try kept(["Si", "@"], [false, false, true]) == 0)
    #expect(try kept(["Si", "Sb"], [false, true, true]) == 0)
    #expect(try kept(["Si", "@"], [false, true, false]) == 1)
    #expect(try kept(["Si_@t"], [false, true, true]) == 1)
    #expect(try kept(["x", "@"], [false, false, true]) == 1)
    #expect(try kept(["Ieg_"], [false, true, true]) == 1)
    #expect(try kept(["Si", "@"], [false, false, false, false, true]) == 1)
  }

  @Test("A capture counts if its object has no unowned reference")
  func contradicted() throws {
    #expect(try kept(["@Xo"], [Self.first], counts: 3) == "a")
  }

  @Test("An unowned capture keeps nothing alive in a process that examines itself, either")
  func ownProcess() {
    let node = memory.addClass("Node", [("number", "Si")])
    let closure = memory.addClosure(capturing: ["@Xo", "@"], of: memory.descriptor(of: node))
    memory.addObject(closure, at: Self.context, [Self.first, Self.second])
    memory.addObject(node, at: Self.first, counts: Self.unowned, [0])
    memory.addObject(node, at: Self.second, [0])
    let graph = HeapScanner(HeapMemory(memory)).graph(from: [Self.context, Self.first, Self.second])
    #expect(graph.edgeTargets.map { graph.addresses[Int($0)] } == [Self.second])
  }

  @Test("Captures follow the generic arguments")
  func generic() throws {
    let filler = ["SS", "SS", "SS", "SS"], words = [UInt64](repeating: 0, count: 8)
    #expect(try kept(filler + ["@Xo"], [0] + words + [Self.first], genericArguments: 1) == "")
    #expect(try kept(filler + ["@", "@Xo"], [0] + words + [Self.second, Self.first], genericArguments: 1) == "b")
  }

  @Test("Where the context of a generic closure ends unexpectedly late, or nowhere known, all captures count")
  func genericTask() throws {
    #expect(try kept(["@", "@Xo"], [0, 0, 0, Self.second, Self.first], genericArguments: 1) == "ba")
    #expect(try kept(["Si", "@Xo"], [0, 0, 0, Self.first, 0], genericArguments: 1) == "a")
    // malloc gives a larger block if it has one that is not worth splitting.
    #expect(try kept(["@", "@Xo"], [Self.second, Self.first, 0, 0, 0]) == "b")
    let filler = ["SS", "SS", "SS", "SS"], words = [UInt64](repeating: 0, count: 8)
    #expect(try kept(["@Xo"] + filler + ["x"], [0, Self.first] + words, genericArguments: 1) == "a")
  }
}
