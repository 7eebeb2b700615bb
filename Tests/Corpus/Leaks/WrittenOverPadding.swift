// leak: 1 Canvas
// path:
// why: passRetained
// The padding after a Bool, another number of a byte, an enum or a generic class's small value has the memory's previous
// contents: it holds nothing, and belongs to no property.
typealias Row = (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)
let blank: Row = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
final class Canvas { var rows = (blank, blank, blank, blank) }
struct Events: OptionSet { let rawValue: UInt8 }
enum State { case new, open, closed }
final class Switch {
  var isOn = true
  var next: Switch?
  var events: Events = []
  var previous: Switch?
  var state = State.open
  var parent: Switch?
}
final class Cell<Value> {
  var value: Value
  var next: Cell?
  init(_ value: Value) { self.value = value }
}
/// Ends after a byte.
final class Flag<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
@inline(never) func lose() -> UInt {
  let canvas = Canvas() // ALLOC
  return UInt(bitPattern: Unmanaged.passRetained(canvas).toOpaque()) // KEPT
}
@inline(never) func dirty<Object: AnyObject>(_ word: UInt, _ words: Int, _ make: () -> Object) -> Object {
  // The next object of this size gets the memory unchanged; each byte overwrites the lowest one of a word.
  let memory = UnsafeMutablePointer<UInt>.allocate(capacity: words)
  for index in 0..<words { memory[index] = (word + 255) & ~255 }
  memory.deallocate()
  return make()
}
func work() -> [AnyObject] {
  let word = lose() // KEPT-CALL
  #if CLEAN
  Unmanaged<Canvas>.fromOpaque(UnsafeRawPointer(bitPattern: word)!).release()
  #endif
  return [dirty(word, 8) { Switch() }, dirty(word, 4) { Cell(true) }, dirty(word, 3) { Flag(true) }]
}
let objects = work()
print(objects.count)
