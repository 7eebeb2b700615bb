// leak: 1 Buffer
// path:
// why: passRetained
// Thread-specific data of a thread that ended, without a destructor.
import Glibc
final class Buffer { var bytes = 16 }
nonisolated(unsafe) var key = pthread_key_t()
@inline(never) func remember() {
  pthread_setspecific(key, Unmanaged.passRetained(Buffer()).toOpaque()) // ALLOC KEPT
}
#if CLEAN
pthread_key_create(&key) { Unmanaged<Buffer>.fromOpaque($0!).release() }
#else
pthread_key_create(&key, nil)
#endif
var thread = pthread_t()
pthread_create(&thread, nil, { _ in remember(); return nil }, nil) // KEPT-CALL
pthread_join(thread, nil)
print("end")
