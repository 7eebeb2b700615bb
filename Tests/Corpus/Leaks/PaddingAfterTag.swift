// leak: 1 Canvas
// path:
// why: passRetained
// The padding after an enum's tag, and after the last byte of a struct in an array, a dictionary or an optional, has the
// memory's previous contents, and so may a number that is nil: they hold nothing.
typealias Row = (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int)
let blank: Row = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
final class Canvas { var rows = (blank, blank, blank, blank) }
enum State { case waiting(Int), loading(Double), done }
struct Mark {
  var line = 1
  var isSet = true
}
struct Limit {
  var count: Int?
  var name = "limit"
}
final class Step {
  var limit: Int?
  var state = State.waiting(2)
  var next: Step?
  var last: State? = .done
  var previous: Step?
  var mark: Mark? = Mark()
  var parent: Step?
}
@inline(never) func lose() -> UInt {
  let canvas = Canvas() // ALLOC
  return UInt(bitPattern: Unmanaged.passRetained(canvas).toOpaque()) // KEPT
}
@inline(never) func dirty<Value>(_ word: UInt, _ words: Int, _ make: () -> Value) -> Value {
  // The next object of this size gets the memory unchanged; each byte overwrites the lowest one of a word.
  let memory = UnsafeMutablePointer<UInt>.allocate(capacity: words)
  for index in 0..<words { memory[index] = (word + 255) & ~255 }
  memory.deallocate()
  return make()
}
func leaveOver<Value>(_ word: UInt, in value: inout Value) {
  withUnsafeMutableBytes(of: &value) { $0.storeBytes(of: word, as: UInt.self) }
}
func work() -> [Any] {
  let word = lose() // KEPT-CALL
  #if CLEAN
  Unmanaged<Canvas>.fromOpaque(UnsafeRawPointer(bitPattern: word)!).release()
  #endif
  let step = Step()
  leaveOver(word, in: &step.limit)
  var limits = [Limit(), Limit()]
  for index in limits.indices { leaveOver(word, in: &limits[index].count) }
  return [
    step, limits, limits.count,
    dirty(word, 12) { Step() }, dirty(word, 12) { [State.waiting(3), .loading(4), .done, .waiting(5)] },
    dirty(word, 12) { [Mark(), Mark(), Mark()] },
  ]
}
let objects = work()
print(objects.count)
