// `exit` from another thread, while main holds objects in its frames and waits.
import Glibc
final class Owner { var parts: [Owner] = [] }
nonisolated(unsafe) var thread = pthread_t()
@_optimize(none) func wait() -> Int {
  let owner = Owner()
  owner.parts = [Owner(), Owner()]
  pthread_create(&thread, nil, { _ in
    let own = Owner()
    print("end")
    withExtendedLifetime(own) { exit(0) }
  }, nil)
  pthread_join(thread, nil)
  return owner.parts.count
}
print(wait())
