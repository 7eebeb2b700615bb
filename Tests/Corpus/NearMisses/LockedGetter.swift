// object: Document#1
// A class reads its own reference by a getter, of whose result nothing is kept. In the twin the getter keeps it.
import Foundation
class Document: @unchecked Sendable { var words = 0; func count() -> Int { words += 1; return words } }
final class Index {
  private let lock = NSLock()
  var last = "", total = 0, handler: (() -> Void)?
#if CLEAN
  private var cached: Document?
  private let editor: Editor
  init(_ editor: Editor) { self.editor = editor }
  var document: Document? {
    if cached == nil { cached = editor.document }
    return cached
  }
#else
  private unowned(unsafe) let target: Document?
  init(_ editor: Editor) { target = editor.document }
  var document: Document? {
    lock.withLock { target } // ACCESS
  }
#endif
  @inline(never) func rebuild() {
    total += document?.count() ?? 0 // ACCESS
    last = "\(total)"
  }
}
final class Editor { var document: Document? = Document(); @inline(never) func close() { document = nil } }
@inline(never) func save(_ editor: Editor, _ begin: DispatchSemaphore, _ done: DispatchSemaphore) {
  let document = editor.document!
  DispatchQueue.global().async {
    begin.wait()
    document.words += 10
    done.signal()
  }
}
func run() {
  let editor = Editor(), index = Index(editor)
  let begin = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
#if CLEAN
  index.rebuild()
#endif
  save(editor, begin, done)
  usleep(20_000)
  editor.close()
  index.rebuild()
  begin.signal()
  done.wait()
  print(index.total)
}
run()
usleep(50_000)
print("end")
