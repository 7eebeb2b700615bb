// The kernel has the only pointer: the data of an epoll registration.
import Glibc
final class Peer { var bytes = 0 }
nonisolated(unsafe) var ends: [Int32] = [0, 0]
// The module lacks the header: epoll_event is packed, 12 bytes.
typealias Create = @convention(c) (Int32) -> Int32
typealias Control = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer) -> Int32
let create = unsafeBitCast(dlsym(nil, "epoll_create1"), to: Create.self)
let control = unsafeBitCast(dlsym(nil, "epoll_ctl"), to: Control.self)
@inline(never) func register(_ set: Int32) -> Int32 {
  withUnsafeTemporaryAllocation(byteCount: 16, alignment: 8) { event in
    event.storeBytes(of: 1, as: UInt32.self)
    event.storeBytes(of: UInt64(UInt(bitPattern: Unmanaged.passRetained(Peer()).toOpaque())), toByteOffset: 4, as: UInt64.self)
    let status = control(set, 1, ends[0], event.baseAddress!)
    event.initializeMemory(as: UInt8.self, repeating: 0)
    return status
  }
}
@inline(never) func scrub(_ depth: Int) -> Int { withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { $0.initialize(repeating: depth); return $0[depth] } }
pipe(&ends)
let status = register(create(0))
print(status, scrub(3))
