// `dispatchMain` never returns, but ends the main thread: the variables of the functions that called it are gone, and the
// objects that they held are in use as before.
import Dispatch
import Glibc
final class Job { var number = 1 }
final class Listener {
  let server: Server
  init(_ server: Server) { self.server = server }
}
final class Server {
  var jobs: [Job] = []
  var listener: Listener?
  @inline(never) func start() {
    jobs.append(Job())
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) {
      print("end")
      exit(0)
    }
  }
}
@inline(never) func make() -> Server { Server() }
@inline(never) func serve() {
  let server = make(), other = make(), jobs = [Job(), Job()]
  let buffer = UnsafeMutablePointer<Job>.allocate(capacity: 1)
  buffer.initialize(to: Job())
  other.listener = Listener(other)
  server.start()
  print(jobs.count + buffer.pointee.number)
  dispatchMain()
}
serve()
