// class: Packet
// kind: use-after-free
// Bytes of an object are read through a raw pointer, as in serialization.
final class Packet { var sequence: UInt64 = 77; var length: UInt64 = 12 }
final class Queue { var packets: [Packet] = [] }
@inline(never) func enqueue(_ queue: Queue) -> UnsafeRawPointer {
  let packet = Packet() // ALLOC
  queue.packets.append(packet)
  return UnsafeRawPointer(Unmanaged.passUnretained(packet).toOpaque())
}
@inline(never) func flush(_ queue: Queue) {
  queue.packets.removeAll() // FREE
}
@inline(never) func sequence(_ packet: UnsafeRawPointer) -> UInt64 {
  packet.load(fromByteOffset: 16, as: UInt64.self) // ACCESS
}
let queue = Queue()
let packet = enqueue(queue)
#if !CLEAN
flush(queue) // FREE-CALL
#else
defer { flush(queue) }
#endif
print(sequence(packet) > 100)
