// An asynchronous main function calls `exit` itself, or through a function, while variables of its inner scopes hold
// objects: unlike when it returns, they are in use.
import Glibc
final class Session { var number = 1 }
@inline(never) func make() -> Session { Session() }
@inline(never) func wait() async { await Task.yield() }
@inline(never) func serve(_ session: Session) async {
  let buffer = UnsafeMutablePointer<Session>.allocate(capacity: 1)
  buffer.initialize(to: make())
  defer {
    buffer.deinitialize(count: 1)
    buffer.deallocate()
  }
  let own = make()
  await wait()
  if CommandLine.arguments.count > 5 { return }
  withExtendedLifetime((own, session, buffer)) {
    print("end")
    if CommandLine.arguments.count > 4 { exit(0) }
  }
  await wait()
  if CommandLine.arguments.count > 3 { print(own.number, buffer.pointee.number) }
}
for index in 0..<3 {
  let session = make()
  await wait()
  await serve(session)
  if index == 2 {
    let last = make()
    await wait()
    withExtendedLifetime((session, last)) { exit(0) }
  }
  print(session.number)
}
