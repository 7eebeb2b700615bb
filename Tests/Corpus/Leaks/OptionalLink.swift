// leak: 2 Peer
// path: Peer.link.peer
// change: Set Peer.link to nil
// A struct's constant cannot be cleared, but the optional property that has the struct can.
struct Link {
  let name: String
  let peer: Peer
}
final class Peer {
  let name: String
  var link: Link?
  init(name: String) { self.name = name }
  @inline(never) func join(_ other: Peer) { link = Link(name: other.name, peer: other) } // KEPT
  @inline(never) func leave() { link = nil }
}
@inline(never) func meet() -> Int {
  let one = Peer(name: "one"), two = Peer(name: "the other one") // ALLOC
  one.join(two) // KEPT-CALL
  two.join(one) // KEPT-CALL
  #if CLEAN
  one.leave()
  #endif
  return (one.link?.name ?? "").utf8.count + (two.link?.peer.name ?? "").utf8.count
}
print(meet())
