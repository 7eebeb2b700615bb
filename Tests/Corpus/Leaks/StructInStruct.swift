// leak: 1 Connection
// path: Connection.settings.handler.owner
// A struct in a struct holds the object that it belongs to: the property itself cannot be weak.
struct Handler { var owner: Connection? }
struct Settings {
  var name: String
  var handler: Handler?
}
final class Connection { var settings = Settings(name: "plain", handler: nil) }
@inline(never) func connect() -> Int {
  let connection = Connection() // ALLOC
  #if !CLEAN
  connection.settings.handler = Handler(owner: connection) // KEPT
  #endif
  return connection.settings.name.count
}
print(connect()) // KEPT-CALL
