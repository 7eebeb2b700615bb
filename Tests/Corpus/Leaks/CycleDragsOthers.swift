// leak: 1 Editor, 1 Undo, 40 Change
// findings: 1
// path: Editor.undo, Undo.editor
// Objects that only a leaked cycle holds are lost with it: one finding, not forty.
final class Change { var text = "x" }
final class Editor { var undo: Undo?; var changes: [Change] = [] }
final class Undo { var editor: Editor? }
@inline(never) func edit() -> Int {
  let editor = Editor() // ALLOC
  let undo = Undo() // ALLOC
  editor.undo = undo
  for _ in 0..<40 { editor.changes.append(Change()) } // ALLOC
  #if !CLEAN
  undo.editor = editor // KEPT
  #endif
  return editor.changes.count
}
print(edit())
