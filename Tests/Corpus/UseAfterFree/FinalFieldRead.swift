// class: Meter
// kind: use-after-free
// A stored property of a final class is read without a call, so only a guard page detects it.
final class Meter { var value = 41; var unit = 7 }
final class Display {
  unowned(unsafe) let meter: Meter
  init(_ meter: Meter) { self.meter = meter }
  @inline(never) func show() -> Int {
    meter.value &+ 1 // ACCESS
  }
}
final class Panel { var meter: Meter? }
@inline(never) func build(_ panel: Panel) -> Display {
  panel.meter = Meter() // ALLOC
  return Display(panel.meter!)
}
@inline(never) func tearDown(_ panel: Panel) {
  panel.meter = nil // FREE
}
let panel = Panel()
let display = build(panel)
#if !CLEAN
tearDown(panel)
#endif
print(display.show() == 0)
tearDown(panel)
