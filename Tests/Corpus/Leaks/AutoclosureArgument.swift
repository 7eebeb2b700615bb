// leak: 1 Service, 1 Logger
// path: Service.log, Logger.prefix, closure
// change: the @autoclosure argument in
// not: weakly
// An argument that is an autoclosure captures the object that keeps the one it is given to.
final class Logger {
  let prefix: () -> String
  init(prefix: @autoclosure @escaping () -> String) { self.prefix = prefix }
  func say(_ text: String) { print(prefix(), text) }
}
final class Service {
  let name: String
  private var log: Logger?
  init(_ name: String) { self.name = name }
  func start() {
    #if CLEAN
    let name = name
    log = Logger(prefix: name)
    #else
    log = Logger(prefix: self.name) // KEPT ALLOC
    #endif
    log?.say("starts")
  }
}
@inline(never) func run() {
  let service = Service("mail") // ALLOC
  service.start() // KEPT
}
run() // KEPT
