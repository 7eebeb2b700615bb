// leak: 1 Sensor
// path: Sensor.onAlarm, closure
// The buffer of standard output is memory that had other contents before: it holds nothing.
final class Sensor {
  var alarms = 0
  var onAlarm: (() -> Void)?
}
@inline(never) func watch() -> UInt {
  let sensor = Sensor() // ALLOC
  #if CLEAN
  sensor.onAlarm = { [weak sensor] in sensor?.alarms += 1 }
  #else
  sensor.onAlarm = { sensor.alarms += 1 } // KEPT
  #endif
  sensor.onAlarm?()
  return UInt(bitPattern: ObjectIdentifier(sensor))
}
@inline(never) func fill(_ word: UInt, words: Int) {
  let memory = UnsafeMutablePointer<UInt>.allocate(capacity: words)
  memory.initialize(repeating: word, count: words)
  memory.deallocate()
}
var word = watch() // KEPT-CALL
// Buffers have the size of a block of the file, mostly 4096 bytes, or 1024 for a terminal.
fill(word, words: 512)
fill(word, words: 128)
word = 0
print("end")
