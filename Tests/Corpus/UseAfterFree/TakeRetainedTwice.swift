// class: Message
// kind: over-release
// takeRetainedValue() is called for a reference that was not retained.
final class Message { var text = "x" }
final class Inbox { var message: Message? }
@inline(never) func receive(_ inbox: Inbox) -> Unmanaged<Message> {
  inbox.message = Message() // ALLOC
  return .passUnretained(inbox.message!)
}
@inline(never) func read(_ message: Unmanaged<Message>) -> Int {
  #if CLEAN
  return message.takeUnretainedValue().text.utf8.count
  #else
  return message.takeRetainedValue().text.utf8.count // FREE
  #endif
}
@inline(never) func delete(_ inbox: Inbox) {
  inbox.message = nil // ACCESS
}
let inbox = Inbox()
let message = receive(inbox)
print(read(message))
delete(inbox)
