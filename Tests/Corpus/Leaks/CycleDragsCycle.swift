// leak: 1 Editor, 1 Panel, 1 Document, 1 Page
// path: Editor.panel, Panel.editor
// change: Panel.editor and Page.document weak or unowned
// A cycle that holds another one: each needs its own change.
final class Page {
  #if CLEAN
  weak var document: Document?
  #else
  var document: Document?
  #endif
}
final class Document {
  var pages: [Page] = []
  func add() {
    let page = Page() // ALLOC
    page.document = self
    pages.append(page)
  }
}
final class Panel {
  #if CLEAN
  weak var editor: Editor?
  #else
  var editor: Editor?
  #endif
}
final class Editor {
  let document = Document() // ALLOC
  var panel: Panel?
}
@inline(never) func run() -> Int {
  let editor = Editor() // ALLOC
  editor.document.add() // KEPT
  let panel = Panel() // ALLOC
  panel.editor = editor // KEPT
  editor.panel = panel // KEPT
  return editor.document.pages.count
}
print(run()) // KEPT
