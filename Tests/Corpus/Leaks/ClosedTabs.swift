// leak: 1 Document, 1 Tab
// path: Document.observers
// change: Document.observers
// not: Tab.document
// A tab is the only owner of its document, and is in use until it is closed; its own observer is never removed.
protocol Observer: AnyObject { func changed(_ document: Document) }
final class Document {
  private(set) var text: String
  private var observers: [any Observer] = []
  init(_ text: String) { self.text = text }
  func add(_ observer: any Observer) { observers.append(observer) } // KEPT
  func remove(_ observer: any Observer) { observers.removeAll { $0 === observer } }
  func edit(_ more: String) {
    text += more
    for observer in observers { observer.changed(self) }
  }
}
final class Tab: Observer {
  let document: Document
  private var title = ""
  private var saving: Saving?
  init(_ document: Document) { self.document = document } // KEPT
  func open() {
    document.add(self) // KEPT
    saving = Saving(self)
  }
  func close() {
    #if CLEAN
    document.remove(self)
    #endif
    saving = nil
  }
  func changed(_ document: Document) { title = String(document.text.prefix(5)) }
}
final class Saving {
  private let tab: Tab
  init(_ tab: Tab) { self.tab = tab }
}
final class Editor {
  private var tabs: [Tab] = []
  @inline(never) func open(_ text: String) -> Tab {
    let document = Document(text) // ALLOC
    let tab = Tab(document) // KEPT
    tab.open()
    tabs.append(tab) // KEPT
    return tab
  }
  @inline(never) func closeAll() {
    for tab in tabs { tab.close() }
    tabs = []
  }
}
@inline(never) func session() -> Int {
  let editor = Editor()
  _ = editor.open("text") // KEPT-CALL
  editor.closeAll()
  return 1
}
print(session())
