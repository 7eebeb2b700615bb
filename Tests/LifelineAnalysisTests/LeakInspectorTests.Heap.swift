import LifelineHeap

extension LeakInspectorTests {
  /// A heap of `App.Pane` (16: model), `App.Model` (16: onChange) and `App.Item` (16: next).
  struct Heap {
    var builder = HeapGraphBuilder()
    let pane, model, item, closure: Int

    init() {
      func field(_ name: String) -> [HeapField] { [HeapField(name: name, offset: 16, size: 16)] }
      pane = builder.addType(HeapType(kind: .object, name: "App.Pane", isOwn: true, fields: field("model")))
      model = builder.addType(HeapType(kind: .object, name: "App.Model", isOwn: true, fields: field("onChange")))
      item = builder.addType(HeapType(kind: .object, name: "App.Item", isOwn: true, fields: field("next")))
      closure = builder.addType(HeapType(kind: .closure, name: "closure"))
    }
  }

  func cycle(_ heap: inout Heap, pane: UInt64, model: UInt64) {
    heap.builder.addNode(pane, size: 32, type: heap.pane, strongCount: 1)
    heap.builder.addNode(model, size: 32, type: heap.model, strongCount: 1)
    heap.builder.addEdge(from: pane, offset: 16, to: model)
    heap.builder.addEdge(from: model, offset: 24, to: pane, function: 0x1234)
  }
}
