// object: Draft#1
// verdict: on time
// rule: 
// finding: none
// A work item that its owner stores and performs itself owns what its block captured, until the owner ends.
import Dispatch
class Draft: @unchecked Sendable { var words = 0; @inline(never) func count() { words += 1 } }
final class Preview: @unchecked Sendable {
  unowned let draft: Draft
  @inline(never) init(_ draft: Draft) { self.draft = draft }
  @inline(never) func render() { draft.count() }
}
final class Editor: @unchecked Sendable {
  var draft: Draft?
  let action: DispatchWorkItem
  let preview: Preview
  @inline(never) init(_ new: Draft) {
    draft = new
    let preview = Preview(new)
    self.preview = preview
    action = DispatchWorkItem { new.count(); preview.render() }
  }
  @inline(never) func discard() { draft = nil }
  @inline(never) func tick() { action.perform() }
  @inline(never) func refresh() { preview.render() }
}
@inline(never) func makeEditor() -> Editor { Editor(Draft()) }
@inline(never) func run() {
  let editor = makeEditor()
  editor.tick()
  editor.discard()
  editor.tick()
  editor.refresh()
  withExtendedLifetime(editor) {}
}
run()
print("end")
