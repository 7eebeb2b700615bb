// object: Text#1
// A function holds the text in a variable while its editor closes it, and moves cursors that refer to it without
// counting. In the twin the function itself creates the cursors.
class Text { var position = 0; func move() -> Int { position += 1; return position } }
final class Cursor {
  unowned(unsafe) var text: Text
  init(_ text: Text) { self.text = text }
  @inline(never) func step() -> Int {
    text.move() // ACCESS
  }
}
nonisolated(unsafe) var cursors: [Cursor] = []
final class Editor {
  var text: Text? = Text()
  @inline(never) func close() { text = nil }
  @inline(never) func finish() -> Int {
    let text = text!
#if CLEAN
    close()
    cursors = [Cursor(text)]
#else
    cursors = [Cursor(text)]
    close()
#endif
    let steps = cursors[0].step() + cursors[0].step()
    cursors = []
    return steps + text.move()
  }
}
@inline(never) func run() -> Int { Editor().finish() }
print(run())
print("end")
