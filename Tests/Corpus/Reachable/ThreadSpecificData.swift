// Thread-specific data of live threads: the main thread's and a blocked one's, in the first block of keys and beyond.
import Glibc
final class Context { var depth = 0 }
nonisolated(unsafe) var keys = [pthread_key_t](repeating: 0, count: 40)
nonisolated(unsafe) var ready = sem_t()
@inline(never) func remember() {
  for key in [keys[0], keys[39]] { pthread_setspecific(key, Unmanaged.passRetained(Context()).toOpaque()) }
}
for index in 0..<40 { pthread_key_create(&keys[index], nil) }
sem_init(&ready, 0, 0)
remember()
var thread = pthread_t()
pthread_create(&thread, nil, { _ in
  remember()
  sem_post(&ready)
  while true { pause() }
}, nil)
sem_wait(&ready)
print("end")
