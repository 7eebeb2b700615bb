// object: Settings#1
// Like LocalVariable, but the function got its reference from a getter, and the owner's was released by a setter, which
// the program calls since its classes are not final. In the twin the function itself clears the property, on purpose.
class Settings { var level = 2; func isVerbose() -> Bool { level > 1 } }
class Formatter {
  unowned(unsafe) var settings: Settings
  init(_ settings: Settings) { self.settings = settings }
  @inline(never) func text() -> String {
    settings.isVerbose() ? "long" : "short" // ACCESS
  }
}
class App {
  var settings: Settings? = Settings()
  var resets = 0
  @inline(never) func reset() {
    settings = nil
    resets += 1
  }
}
let app = App()
@inline(never) func formatter(_ app: App) -> Formatter { Formatter(app.settings!) }
let shared = formatter(app)
@inline(never) func log(_ level: Int, _ message: () -> String) { if level > 0 { print(message()) } }
@inline(never) func start() {
  let settings = app.settings!
#if CLEAN
  app.settings = nil
#else
  app.reset()
#endif
  log(settings.level) { shared.text() }
  print(settings.level)
}
start()
print("end")
