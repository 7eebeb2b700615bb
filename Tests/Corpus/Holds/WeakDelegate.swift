// object: Screen#1
// verdict: on time
// rule: 
// finding: none
// A weak delegate is read after its object was freed, and is nil.
final class Screen { var loads = 0; func load() { loads += 1 } }
final class Loader { weak var screen: Screen?; func finish() { screen?.load() } }
final class App { var screen: Screen? = Screen() }
let app = App(), loader = Loader()
@inline(never) func connect() { loader.screen = app.screen }
@inline(never) func close() {
  app.screen = nil // OWNER
}
connect()
loader.finish()
close()
loader.finish()
print("end")
