// object: Draft#1
// verdict: on time
// rule: 
// finding: none
// A closure that runs synchronously holds nothing after its call.
import Dispatch
final class Draft { var words = 1 }
final class Editor { var draft: Draft? = Draft() }
let queue = DispatchQueue(label: "edit")
@inline(never) func discard(_ editor: Editor) {
  queue.sync { editor.draft = nil } // OWNER
}
let editor = Editor()
discard(editor)
print("end")
