// class: Widget
// kind: use-after-free
// A cast reads the freed object's class: the access is inside libswiftCore.
protocol Clickable: AnyObject { func click() -> Int }
class Widget {}
final class Button: Widget, Clickable { var clicks = 0; func click() -> Int { clicks } }
final class View { var widgets: [Widget] = [] }
@inline(never) func add(_ view: View) -> Unmanaged<Widget> {
  let button = Widget() // ALLOC
  view.widgets.append(button)
  return .passUnretained(button)
}
@inline(never) func clear(_ view: View) {
  view.widgets.removeAll() // FREE
}
@inline(never) func click(_ widget: Unmanaged<Widget>) -> Int {
  (widget.takeUnretainedValue() as? any Clickable)?.click() ?? 0 // ACCESS
}
let view = View()
let widget = add(view)
#if !CLEAN
clear(view) // FREE-CALL
#endif
print(click(widget))
clear(view)
