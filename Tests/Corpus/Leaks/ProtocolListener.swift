// leak: 1 Radio, 1 Listener
// path: Radio.listener, Listener.radio
// change: Radio.listener weak or unowned, for which its type must require a class (AnyObject), or clear it
// A property of a protocol type that structs could have, too, cannot be weak as it is.
protocol Hearing { func heard() -> Int }
final class Radio {
  var listener: (any Hearing)?
  @inline(never) func play() -> Int { listener?.heard() ?? 0 }
}
final class Listener: Hearing {
  let radio: Radio
  var count = 0
  init(radio: Radio) { self.radio = radio }
  func heard() -> Int { count }
}
@inline(never) func listen() -> Int {
  let radio = Radio() // ALLOC
  let listener = Listener(radio: radio) // ALLOC
  radio.listener = listener // KEPT
  let count = radio.play()
  #if CLEAN
  radio.listener = nil
  #endif
  return count
}
print(listen())
