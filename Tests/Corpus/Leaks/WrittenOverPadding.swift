// leak: 1 Canvas
// path:
// why: passRetained
// The padding after a Bool, another number of a byte or an enum has the memory's previous contents: it holds nothing,
// and belongs to no property.
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
@inline(never) func lose() -> UInt {
  let canvas = Canvas() // ALLOC
  return UInt(bitPattern: Unmanaged.passRetained(canvas).toOpaque()) // KEPT
}
@inline(never) func dirty(_ word: UInt) -> Switch {
  // The next object of this size gets the memory unchanged; each byte overwrites the lowest one of a word.
  let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
  for index in 0..<8 { memory[index] = (word + 255) & ~255 }
  memory.deallocate()
  return Switch()
}
func work() -> [Switch] {
  let word = lose() // KEPT-CALL
  #if CLEAN
  Unmanaged<Canvas>.fromOpaque(UnsafeRawPointer(bitPattern: word)!).release()
  #endif
  return [dirty(word)]
}
let switches = work()
print(switches.count)
