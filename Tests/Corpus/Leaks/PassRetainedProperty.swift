// leak: 1 Session
// path:
// An object that a property keeps is given to C code by `passRetained`; only the property gives up its reference.
final class Session { var hits = 0 }
nonisolated(unsafe) var handles: [UnsafeMutableRawPointer] = []
final class Gateway {
  private var session: Session?
  func connect() { session = Session() } // ALLOC KEPT
  @inline(never) func perform() -> Int {
    guard let session else { return 0 }
    let context = Unmanaged.passRetained(session)
    session.hits += 1
    #if CLEAN
    context.release()
    #else
    handles.append(context.toOpaque())
    #endif
    return session.hits
  }
  @inline(never) func disconnect() { session = nil }
}
@inline(never) func serve() -> Int {
  let gateway = Gateway()
  gateway.connect()
  let hits = gateway.perform() // KEPT-CALL
  handles.removeAll()
  gateway.disconnect()
  return hits
}
print(serve())
