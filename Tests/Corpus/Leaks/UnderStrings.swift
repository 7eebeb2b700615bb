// leak: 90 Room, 90 Player
// path: Room.player, Player.room
// Live strings are where arrays of the lost rooms were: the unused bytes of a string hold nothing.
final class Room { var player: Player? }
final class Player { var room: Room? }  // ALLOC
nonisolated(unsafe) var texts: [String] = []
@inline(never) func count(_ rooms: [Room]) -> Int { rooms.count }
@inline(never) func lose() -> Int {
  var rooms: [Room] = []
  rooms.reserveCapacity(9)
  for _ in 0..<9 {
    let room = Room(), player = Player()  // ALLOC
    room.player = player  // KEPT
    #if !CLEAN
    player.room = room  // KEPT
    #endif
    rooms.append(room)
  }
  return count(rooms)
}
@inline(never) func text(_ number: Int, _ player: Int) {
  texts.append("item \(number) of player \(player) with a long name")
}
texts.reserveCapacity(100)
for number in 0..<10 {
  _ = lose()  // KEPT-CALL
  text(number, 3)
  text(number, 4)
}
print(texts.count)
