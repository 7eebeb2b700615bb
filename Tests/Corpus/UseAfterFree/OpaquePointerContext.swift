// class: Census
// kind: use-after-free
// A C callback with a context pointer: a thread's end calls back into a freed object.
import Glibc
class Census { var threads = 0; func count() { threads += 1 } }
final class Office { var census: Census? }
@inline(never) func open(_ office: Office) -> UnsafeMutableRawPointer {
  office.census = Census() // ALLOC
  return Unmanaged.passUnretained(office.census!).toOpaque()
}
@inline(never) func close(_ office: Office) {
  office.census = nil // FREE
}
@inline(never) func threadEnded(_ context: UnsafeMutableRawPointer) {
  Unmanaged<Census>.fromOpaque(context).takeUnretainedValue().count() // ACCESS
}
let office = Office()
let context = open(office)
var key = pthread_key_t(), thread = pthread_t()
pthread_key_create(&key) { threadEnded($0!) }
#if !CLEAN
close(office)
#endif
pthread_create(&thread, nil, { pthread_setspecific(key, $0!); return nil }, context)
pthread_join(thread, nil)
close(office)
print("end")
