// object: Document#1
// As in InheritedGeneric, but the optimizer may inline everything.
import Foundation
class Document { var words = 0; func count() -> Int { words += 1; return words } }
class Proxy<Target: AnyObject> {
#if CLEAN
  weak var target: Target?
#else
  unowned(unsafe) var target: Target
#endif
  init(_ target: Target) { self.target = target }
}
final class Index: Proxy<Document> {
  var total = 0
#if CLEAN
  func rebuild() { total += target?.count() ?? 0 }
#else
  func rebuild() {
    total += target.count() // ACCESS
  }
#endif
}
final class Editor {
  var document: Document? = Document()
  func close() { document = nil }
  func save() { NotificationCenter.default.post(name: .init("Saved"), object: document) }
}
func run() {
  let editor = Editor()
  let index = Index(editor.document!)
  let token = NotificationCenter.default.addObserver(forName: .init("Saved"), object: nil, queue: nil) { _ in
    editor.close()
    index.rebuild()
  }
  editor.save()
  NotificationCenter.default.removeObserver(token)
}
run()
print("end")
