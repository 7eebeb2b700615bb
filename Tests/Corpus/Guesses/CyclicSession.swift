// object: Session#1
// guess: Room
// when: open
// A closure that captured the session keeps it alive after the room released it.
final class Session { var onMessage: (() -> Void)?; var count = 0 }
final class Room {
  var sessions: [Session] = []
  @inline(never) func join(_ session: Session) { sessions.append(session) }
  @inline(never) func leave() { sessions.removeAll() }
}
let room = Room()
@inline(never) func connect() {
  let session = Session()
  session.onMessage = { session.count += 1 }
  room.join(session)
}
connect()
room.leave()
print("end")
