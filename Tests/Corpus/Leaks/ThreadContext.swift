// leak: 1 Connection
// path:
// why: passRetained
// A thread gets a retained context, uses it without taking the reference, and ends.
import Glibc
final class Connection { var served = 0 }
@inline(never) func start() -> pthread_t {
  let connection = Connection() // ALLOC
  var thread = pthread_t()
  pthread_create(&thread, nil, { context in
    let connection = Unmanaged<Connection>.fromOpaque(context!)
    connection._withUnsafeGuaranteedRef { $0.served += 1 }
    #if CLEAN
    connection.release()
    #endif
    return nil
  }, Unmanaged.passRetained(connection).toOpaque()) // KEPT
  return thread
}
pthread_join(start(), nil) // KEPT-CALL
print("end")
