// leak: 1 Client, 1 Session
// path: Session.delegate, Client.session
// not: Client.session weak
// A session that is made for its client has no other owner; its delegate is the reference back, at any level.
protocol Delegate: AnyObject { func received(_ number: Int) }
final class Session {
  #if CLEAN
  weak var delegate: (any Delegate)?
  #else
  var delegate: (any Delegate)?
  #endif
  func run() { delegate?.received(2) }
}
final class Client: Delegate {
  let session: Session
  var sum = 0
  init(_ session: Session) { self.session = session }
  func start() { session.delegate = self; session.run() } // KEPT
  func stop() { session.delegate = nil }
  func received(_ number: Int) { sum += number }
}
@inline(never) func serve() -> Int {
  var sum = 0
  for index in 0..<6 {
    let client = Client(Session()) // ALLOC KEPT-CALL
    client.start() // KEPT-CALL
    sum += client.sum
    if index != 4 { client.stop() }
  }
  return sum
}
print(serve())
