// The main function waits forever, on purpose, until another thread ends the program: what its functions hold is in
// use for as long as the program runs.
import Foundation
final class Server: @unchecked Sendable { var requests = 0; func serve() { requests += 1 } }
final class Listener: @unchecked Sendable { var server: Server?; func listen() { server?.serve() } }
@inline(never) func park(_ depth: Int) async {
  if depth > 0 { return await park(depth - 1) }
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
@inline(never) func run() async {
  let server = Server(), listener = Listener()
  listener.server = server
  listener.listen()
  DispatchQueue.global().asyncAfter(deadline: .now() + 0.1) {
    print("end")
    exit(0)
  }
  await park(12)
  listener.listen()
  print(server.requests)
}
await run()
