// leak: 2 Chat, 2 Member
// findings: 1
// path: Chat.members, Member.chat
// Two cycles of the same shape are one finding and one more like it.
final class Chat { var members: [Member] = [] }
final class Member {
  #if CLEAN
  unowned let chat: Chat
  #else
  let chat: Chat
  #endif
  init(_ chat: Chat) { self.chat = chat } // KEPT
}
@inline(never) func open() -> Int {
  let chat = Chat() // ALLOC
  chat.members.append(Member(chat)) // KEPT ALLOC
  return chat.members.count
}
print(open() + open())
