@testable import LifelineHeap
import Testing

@Suite("Pointer search", .timeLimit(.minutes(60)))
struct PointerSearchTests {
  private static let object = SyntheticMemory.heap + 0x10
  /// The object's block has 24 bytes.
  private static let end = object + 24
  private static let variable = SyntheticMemory.data + 0x100

  /// Whether a word in the program's variables keeps the only object.
  private func isKept(by word: UInt64, at address: UInt64 = variable, recorder: [Range<UInt64>] = []) -> Bool {
    let memory = SyntheticMemory()
    memory.addObject(memory.addClass("Node", [("next", "SS")]), at: Self.object, [0])
    let top = Self.object - 16 + 0x20
    memory.write(SyntheticMemory.heap + UInt64(SyntheticMemory.size) - top | 1, at: top + 8)
    memory.write(word, at: address)
    var whole = HeapMemory(memory)
    whole.recorder.ranges = recorder
    let graph = HeapScanner(whole).graph()
    return HeapReachability(graph).isReachable(graph.node(at: Self.object)!)
  }

  @Test("A pointer at any byte offset keeps an otherwise unreferenced block", arguments: 0..<16)
  func anyByte(offset: UInt64) {
    #expect(isKept(by: Self.object, at: Self.variable + offset))
    #expect(!isKept(by: Self.object + 0x1000, at: Self.variable + offset))
  }

  @Test("A pointer to a block's end keeps the block; one past the end or before the block does not")
  func end() {
    #expect(isKept(by: Self.end))
    #expect(!isKept(by: Self.end + 1))
    #expect(!isKept(by: Self.object - 16))
  }

  @Test("A pointer to the recorder's memory keeps no block that ends there")
  func recorder() {
    #expect(!isKept(by: Self.end, recorder: [Self.end..<Self.end + 0x10]))
    #expect(isKept(by: Self.end, recorder: [Self.end + 0x10..<Self.end + 0x20]))
  }

  @Test("Where a file's mapping begins, only a stack may have the address of a block's end")
  func mappings() {
    let starts = MappingStarts(HeapMemory(SyntheticMemory()))
    #expect(starts.contains(SyntheticMemory.code, onStack: false))
    #expect(!starts.contains(SyntheticMemory.code, onStack: true))
    #expect(!starts.contains(SyntheticMemory.heap, onStack: false))
  }

  @Test("A pointer to the word before C's memory keeps it; it may be an array that begins at 1")
  func before() {
    func isKept(_ difference: UInt64, from place: UInt64 = Self.variable) -> Bool {
      let memory = SyntheticMemory()
      let block = SyntheticMemory.heap + 0x30
      memory.addObject(memory.addClass("Node", [("next", "SS")]), at: Self.object, [0])
      memory.write(0x21, at: block - 8)
      memory.write(Self.object, at: block)
      memory.write(SyntheticMemory.heap + UInt64(SyntheticMemory.size) - (block + 16) | 1, at: block + 24)
      memory.write(block - difference, at: place)
      let graph = HeapScanner(HeapMemory(memory)).graph()
      return HeapReachability(graph).isReachable(graph.node(at: Self.object)!)
    }
    #expect(isKept(0) && isKept(8) && !isKept(4))
    // There it is the object's end.
    #expect(!isKept(8, from: Self.object + 16))
  }

  @Test(
    "A pointer to an element before C's memory keeps it, if several whole elements fill the memory",
    arguments: [
      (size: 72, before: 24, isKept: true), (72, 16, true), (72, 32, true), (72, 40, false), (248, 128, false),
      (520, 256, true), (536, 264, false), (72, 20, false), (24, 24, false),
    ])
  func element(size: UInt64, before: UInt64, isKept: Bool) {
    let memory = SyntheticMemory()
    let big = SyntheticMemory.heap + 0x30, block = big + 0x300
    memory.addObject(memory.addClass("Node", [("next", "SS")]), at: Self.object, [0])
    memory.write(0x301, at: big - 8)
    memory.write((size + 8) | 1, at: block - 8)
    memory.write(Self.object, at: block)
    memory.write(SyntheticMemory.heap + UInt64(SyntheticMemory.size) - (block + size - 8) | 1, at: block + size)
    memory.write(block - before, at: Self.variable)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    #expect(HeapReachability(graph).isReachable(graph.node(at: Self.object)!) == isKept)
  }

  @Test(
    "A pointer shifted left by 16 bits, with a counter below it, keeps its block",
    arguments: [0, 7, 0xFFFF] as [UInt64])
  func counter(_ counter: UInt64) {
    #expect(isKept(by: Self.object << 16 | counter))
    #expect(!isKept(by: Self.object << 12 | counter))
  }

  @Test("Pointers to lost blocks that are far apart are all found")
  func farApart() throws {
    var heap = HeapGraphBuilder()
    let node = heap.addType(HeapType(kind: .object, name: "App.Node", isOwn: true))
    let addresses: [UInt64] = [0x5500_0000_1000, 0x6600_0000_1000, 0x7F00_0000_1000]
    for address in addresses { heap.addNode(address, size: 32, type: node) }
    let graph = heap.graph()
    var blocks = BlockList()
    for address in addresses { blocks.append(address, bytes: 32) }
    let table = BlockTable(blocks)
    let search = PointerSearch(graph, isLost: { _ in true })
    for (number, address) in addresses.enumerated() {
      var bytes = [UInt8](repeating: 0, count: 64)
      bytes.withUnsafeMutableBytes { $0.storeBytes(of: address, toByteOffset: 21, as: UInt64.self) }
      var found = FoundReferences(graph)
      bytes.withUnsafeBytes {
        search($0.baseAddress!, 0..<64, at: 0x1000, .everywhere, holder: nil, &found, table)
      }
      #expect(found.roots.map(\.target) == [number])
      #expect(found.roots.map(\.address) == [0x1015])
    }
  }

  @Test("A word that leads between blocks that are far apart is looked up without searching the others")
  func between() {
    var heap = HeapGraphBuilder()
    let node = heap.addType(HeapType(kind: .object, name: "App.Node", isOwn: true))
    let addresses = (0..<200_000).map { 0x5500_0000_1000 + UInt64($0) * 32 } + [0x7F00_0000_1000]
    var blocks = BlockList()
    for address in addresses {
      heap.addNode(address, size: 24, type: node)
      blocks.append(address, bytes: 24)
    }
    let graph = heap.graph(), table = BlockTable(blocks)
    let search = PointerSearch(graph, isLost: { _ in true })
    var found = FoundReferences(graph)
    // Looked up one by one, these would take 40 billion steps.
    let words = [UInt64](repeating: 0x6600_0000_1008, count: 200_000)
    words.withUnsafeBytes {
      search($0.baseAddress!, 0..<$0.count, at: 0x1000, .words, holder: nil, &found, table)
    }
    #expect(found.roots.isEmpty)
  }

  @Test(
    "An element before memory may be at the end of a MiB, or in the one before the memory's",
    arguments: [(-0x30, 16, 32), (-0x10, 40, 240), (0x10, 40, 240), (0x70, 128, 256)])
  func acrossMegabytes(place: Int, element: UInt64, size: Int) {
    var heap = HeapGraphBuilder()
    let block = UInt64(0x5500_0010_0000 + place)
    var blocks = BlockList()
    heap.addNode(block, size: size)
    blocks.append(block, bytes: UInt64(size))
    let graph = heap.graph(), table = BlockTable(blocks)
    let search = PointerSearch(graph, isLost: { _ in true })
    var found = FoundReferences(graph)
    withUnsafeBytes(of: block - element) {
      search($0.baseAddress!, 0..<8, at: 0x1000, .words, holder: nil, &found, table)
    }
    #expect(found.roots.map(\.target) == [0])
  }
}
