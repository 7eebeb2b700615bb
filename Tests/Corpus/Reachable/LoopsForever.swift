// Functions that wait in a loop without end, on threads, in tasks and on the main thread, have variables that optimized
// code does not keep: nothing refers to the objects any more.
import Foundation
final class Log { var lines: [String] = [] }
final class Server: @unchecked Sendable {
  let log = Log()
  var handlers: [() -> Void] = []
  @inline(never) func start() { handlers.append { [log] in log.lines.append("started") } }
}
nonisolated(unsafe) var kept: [Server] = []
@inline(never) func makeServer() -> Server {
  let server = Server()
  if CommandLine.arguments.count > 9 { kept.append(server) }
  return server
}
let never = DispatchSemaphore(value: 0)
@inline(never) func serve() {
  let server = makeServer()
  server.start()
  while true { never.wait() }
}
@inline(never) func serveAll() {
  let servers = [makeServer(), makeServer()]
  for server in servers { server.start() }
  while true { never.wait() }
}
struct Settings {
  var server: Server?
  @inline(never) mutating func load() { server = makeServer() }
}
actor Desk {
  func serve() async {
    let server = makeServer()
    server.start()
    let other = makeServer()
    other.start()
    while true { try? await Task.sleep(nanoseconds: 1_000_000_000_000) }
  }
}
for _ in 0..<3 { Thread { serve() }.start() }
Thread { serveAll() }.start()
for _ in 0..<2 {
  Task.detached {
    let server = makeServer()
    server.start()
    while true { try? await Task.sleep(nanoseconds: 1_000_000_000_000) }
  }
}
for _ in 0..<2 { Task.detached { await Desk().serve() } }
Task.detached {
  var settings = Settings()
  settings.load()
  settings.server?.start()
  while true { try? await Task.sleep(nanoseconds: 1_000_000_000_000) }
}
Thread {
  usleep(200_000)
  print("end")
  exit(0)
}.start()
@inline(never) func listen() -> Never {
  let server = makeServer()
  server.start()
  let pipe = Pipe()
  var byte: UInt8 = 0
  while true { _ = read(pipe.fileHandleForReading.fileDescriptor, &byte, 1) }
}
listen()
