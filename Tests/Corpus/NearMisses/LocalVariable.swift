// object: Document#1
// Only a local variable of a running function still has the document when the editor uses it.
final class Document { var text = "x"; func append(_ more: String) { text += more } }
final class Editor {
#if CLEAN
  weak var document: Document?
#else
  unowned let document: Document
#endif
  init(_ document: Document) { self.document = document }
#if CLEAN
  @inline(never) func type() { document?.append("t") }
#else
  @inline(never) func type() {
    document.append("t") // ACCESS
  }
#endif
}
final class Workspace {
  var document: Document? = Document()
  var editor: Editor?
  @inline(never) func closeAll() { document = nil }
  @inline(never) func save() {
    let document = document!
    document.append("s")
    closeAll()
    editor!.type()
    document.append("e")
  }
}
@inline(never) func run() {
  let workspace = Workspace()
  workspace.editor = Editor(workspace.document!)
  workspace.save()
}
run()
print("end")
