import LifelineHeap

extension HeapGraphBuilder {
  /// Two objects that nothing else refers to: `App.Worker.item` and `App.Item.owner`.
  static func cycle(worker: UInt64, item: UInt64) -> HeapGraphBuilder {
    var builder = HeapGraphBuilder()
    for (name, property, node) in [("App.Worker", "item", worker), ("App.Item", "owner", item)] {
      let field = HeapField(name: property, offset: 16, size: 8)
      let type = builder.addType(HeapType(kind: .object, name: name, isOwn: true, fields: [field]))
      builder.addNode(node, size: 24, type: type, strongCount: 1)
    }
    builder.addEdge(from: worker, offset: 16, to: item)
    builder.addEdge(from: item, offset: 16, to: worker)
    return builder
  }
}
