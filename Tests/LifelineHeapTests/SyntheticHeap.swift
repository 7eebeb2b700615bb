@testable import LifelineHeap

/// A heap whose nodes are named by letters: "a.next → b" is an edge from `a` at the offset of its property.
struct SyntheticHeap {
  private var builder = HeapGraphBuilder()
  private(set) var view = 0
  private(set) var storage = 0

  init() {
    let fields = [
      HeapField(name: "next", offset: 16, size: 8), HeapField(name: "owner", offset: 24, size: 8),
      HeapField(name: "other", offset: 32, size: 8),
    ]
    view = builder.addType(HeapType(kind: .object, name: "App.View", metadata: 0x100, isOwn: true, fields: fields))
    storage = builder.addType(
      HeapType(kind: .storage, name: "Swift._ContiguousArrayStorage<App.View>", metadata: 0x200))
  }

  static func address(_ name: Character) -> UInt64 { 0x1000 * UInt64(name.unicodeScalars.first!.value) }

  /// Adds an object of the program's class View for each letter.
  mutating func objects(_ names: String, strongCount: Int = 0) {
    for name in names { builder.addNode(Self.address(name), size: 48, type: view, strongCount: strongCount) }
  }

  mutating func memory(_ names: String) { for name in names { builder.addNode(Self.address(name), size: 32) } }

  /// "ab bc" adds an edge from a to b and one from b to c, through the property `next`.
  mutating func edges(_ pairs: String, offset: Int = 16) {
    for pair in pairs.split(separator: " ") {
      builder.addEdge(from: Self.address(pair.first!), offset: offset, to: Self.address(pair.last!))
    }
  }

  mutating func root(_ kind: HeapRoot.Kind, _ name: Character) {
    builder.addRoot(kind, to: Self.address(name), address: 0x10, place: 0)
  }

  var graph: HeapGraph { builder.graph() }
}

extension HeapGraph {
  /// The letters of nodes, in order.
  func names(_ nodes: some Sequence<Int>) -> String {
    String(nodes.map { Character(Unicode.Scalar(UInt32(addresses[$0] / 0x1000))!) })
  }

  func number(_ name: Character) -> Int { node(at: SyntheticHeap.address(name))! }
}
