// leak: 1 Editor, 1 Preview
// path: Editor.preview, Preview.editor
// change: Preview.editor weak
// not: Editor.preview
// A property is not a reference back because its name begins like "previous".
final class Preview {
  #if CLEAN
  unowned let editor: Editor
  #else
  let editor: Editor
  #endif
  var width = 80
  init(editor: Editor) { self.editor = editor }
}
final class Editor {
  var text = "hello"
  var preview: Preview?
  @inline(never) func open() { preview = Preview(editor: self) } // KEPT
}
@inline(never) func run() -> Int {
  let editor = Editor() // ALLOC
  editor.open()
  return editor.text.utf8.count + (editor.preview?.width ?? 0)
}
print(run())
