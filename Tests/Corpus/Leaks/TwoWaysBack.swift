// leak: 1 Room, 1 Member, 1 Connection
// path: Room.members, Member.room
// change: make Member.room weak or unowned
// A room's member leads back to it through a property, and through a closure of the member's connection: one change is not enough.
final class Room {
  var members: [Int: Member] = [:]
  var log: [String] = []
}
final class Connection {
  var onClose: (() -> Void)?
}
final class Member {
  let connection = Connection()
  #if CLEAN
  weak var room: Room?
  #else
  var room: Room?
  #endif
}
@inline(never) func join(_ room: Room, _ id: Int) -> Connection {
  let member = Member() // ALLOC
  member.room = room // KEPT
  room.members[id] = member // KEPT
  #if CLEAN
  member.connection.onClose = { [weak room] in room?.members[id] = nil }
  #else
  member.connection.onClose = { room.members[id] = nil } // KEPT
  #endif
  return member.connection
}
@inline(never) func run() -> Int {
  let room = Room() // ALLOC
  let first = join(room, 1)
  _ = join(room, 2) // KEPT
  first.onClose?()
  return room.members.count
}
print(run())
