// object: Engine#1
// A function creates a driver from its own variable, which it keeps beyond all uses, and calls what drops the owner.
class Engine { var turns = 0; func turn() -> Int { turns += 1; return turns } }
final class App {
  var engine: Engine?
  @inline(never) func stop() { engine = nil }
}
final class Driver {
  unowned(unsafe) let engine: Engine
  init(_ engine: Engine) { self.engine = engine }
  @inline(never) func drive() -> Int { engine.turn() + engine.turns }
}
let app = App()
nonisolated(unsafe) var driver: Driver?
@inline(never) func make() -> Engine { Engine() }
@inline(never) func use() -> Int { driver!.drive() }
@inline(never) func start() { app.engine = make() }
@inline(never) func run() -> Int {
  let engine = app.engine!
  driver = Driver(engine)
  app.stop()
  let turns = use()
  driver = nil
  return turns + engine.turn()
}
start()
print("end", run())
