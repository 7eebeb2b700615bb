// leak: 1 Room
// path: Room.guests
// change: Empty Room.guests when it is no longer needed
// An object is in its own list.
final class Room {
  var guests: [Room] = []
  let number: Int
  init(_ number: Int) { self.number = number }
}
@inline(never) func run() -> Int {
  let room = Room(7) // ALLOC
  #if !CLEAN
  room.guests.append(room) // KEPT
  #endif
  return room.number
}
print(run()) // KEPT-CALL
