// A function that never returns is called while variables hold objects. Optimized code does not keep them for it: nothing
// refers to the objects any more.
import Glibc
final class Session { var number = 1 }
final class Settings {
  var path: String?
  let session = Session()
  var onChange: (() -> Void)?
}
final class App {
  var delegate: Delegate?
  @inline(never) func run() { print(delegate!.number) }
}
final class Delegate {
  let app: App
  var number = 1
  init(_ app: App) { self.app = app }
}
struct Pair { let first: Session, second: Session }
protocol Source { var number: Int { get } }
extension Session: Source {}
@inline(never) func load() -> Settings { Settings() }
@inline(never) func pair() -> Pair { Pair(first: Session(), second: Session()) }
@inline(never) func source() -> any Source { Session() }
@inline(never) func start() -> App {
  let app = App()
  app.delegate = Delegate(app)
  return app
}
@inline(never) func fail(_ text: String) -> Never {
  print(text)
  exit(0)
}
@inline(never) func withApp() -> Never {
  let app = start()
  app.run()
  guard app.delegate!.number > 5 else { fail("end") }
  fail("\(app.delegate!.number)")
}
@inline(never) func withSource() -> Never {
  let any = source()
  guard any.number > 5 else { withApp() }
  fail("\(any.number)")
}
@inline(never) func withPair() -> Never {
  let both = pair()
  guard both.first.number > 5 else { withSource() }
  fail("\(both.second.number)")
}
@inline(never) func withBuffer() -> Never {
  let buffer = UnsafeMutablePointer<Session>.allocate(capacity: 1)
  buffer.initialize(to: Session())
  guard buffer.pointee.number > 5 else { withPair() }
  fail("\(buffer.pointee.number)")
}
@inline(never) func withArray() -> Never {
  let sessions = (0..<3).map { _ in Session() }
  guard sessions.count > 5 else { withBuffer() }
  fail("\(sessions[5].number)")
}
@inline(never) func run() {
  let settings = load()
  settings.onChange = { [session = Session()] in print(session.number) }
  guard settings.path != nil else { withArray() }
  print(settings.path!)
}
run()
print("returned")
