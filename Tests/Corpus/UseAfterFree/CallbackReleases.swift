// class: Client
// kind: over-release
// The callback consumes a C thread's context, although the caller kept its own reference.
import Glibc
final class Client { var id = 1 }
final class Server { var client: Client? }
@inline(never) func accept(_ server: Server) -> UnsafeMutableRawPointer {
  server.client = Client() // ALLOC
  return Unmanaged.passUnretained(server.client!).toOpaque()
}
@inline(never) func serve(_ context: UnsafeMutableRawPointer) {
  let client = Unmanaged<Client>.fromOpaque(context)
  #if !CLEAN
  client.release() // FREE
  #endif
}
@inline(never) func close(_ server: Server) {
  server.client = nil // ACCESS
}
let server = Server()
var thread = pthread_t()
pthread_create(&thread, nil, { context in serve(context!); return nil }, accept(server)) // FREE-CALL
pthread_join(thread, nil)
close(server)
print("end")
