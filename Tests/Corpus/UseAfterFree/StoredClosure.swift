// class: Form
// kind: use-after-free
// A closure in a global list captured its form unsafely.
class Form { var fields = 2; func submit() -> Int { fields } }
var handlers: [() -> Int] = []
final class Window { var form: Form? }
@inline(never) func open(_ window: Window) {
  let form = Form() // ALLOC
  window.form = form
  handlers.append { [unowned(unsafe) form] in
    form.submit() // ACCESS
  }
}
@inline(never) func close(_ window: Window) {
  window.form = nil // FREE
}
@inline(never) func click() -> Int {
  handlers[0]()
}
let window = Window()
open(window)
#if !CLEAN
close(window)
#endif
print(click() >= 0)
close(window)
