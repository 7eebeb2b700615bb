// leak: 8 Packet, 8 Peer
// findings: 1
// path: Packet.peer, Peer.packet
// Eight threads leak one cycle each and end; their stacks do not keep them.
import Glibc
final class Packet { var peer: Peer? }
final class Peer { var packet: Packet? }
@inline(never) func meet(_ packet: Packet, _ peer: Peer) {
  packet.peer = peer
  #if !CLEAN
  peer.packet = packet // KEPT
  #endif
}
@inline(never) func exchange() {
  let packet = Packet() // ALLOC
  let peer = Peer() // ALLOC
  meet(packet, peer) // KEPT-CALL
}
var threads: [pthread_t] = []
for _ in 0..<8 {
  var thread = pthread_t()
  pthread_create(&thread, nil, { _ in exchange(); return nil }, nil) // KEPT-CALL
  threads.append(thread)
}
for thread in threads { pthread_join(thread, nil) }
print("end")
