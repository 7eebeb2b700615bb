// leak: 3 Editor, 3 Document
// path: Editor.document, Document.onChange, closure
// change: Capture self weakly or unowned in the closure at main.swift:25
// Closures in a global registry captured the editors unowned, which does not keep them: they are lost with their cycles.
final class Registry {
  nonisolated(unsafe) static let shared = Registry()
  private var handlers: [String: [(String) -> Void]] = [:]
  func on(_ event: String, _ handler: @escaping (String) -> Void) { handlers[event, default: []].append(handler) }
  var count: Int { handlers.values.reduce(0) { $0 + $1.count } }
}
final class Document { var onChange: (() -> Void)? }
final class Editor {
  let document = Document() // ALLOC
  let name: String
  var edits = 0
  init(_ name: String) {
    self.name = name
    Registry.shared.on("save") { [unowned self] in print(self.name, $0, edits) }
    Registry.shared.on(name) { [unowned self] _ in edits = 0 }
  }
  @inline(never) func open() {
    #if CLEAN
    document.onChange = { [weak self] in self?.edits += 1 }
    #else
    document.onChange = { self.edits += 1 } // KEPT
    #endif
  }
}
@inline(never) func edit(_ name: String) -> Int {
  let editor = Editor(name) // ALLOC
  editor.open()
  editor.document.onChange?()
  return editor.edits
}
print(["a", "b", "c"].map(edit).reduce(0, +), Registry.shared.count)
