// class: Controller
// kind: use-after-free
// Optional chaining does not help: an unsafe reference never becomes nil.
class Controller { var reloads = 0; func reload() { reloads += 1 } }
final class Source {
  unowned(unsafe) var controller: Controller?
  @inline(never) func change() {
    controller?.reload() // ACCESS
  }
}
final class Coordinator { var controller: Controller? }
@inline(never) func push(_ coordinator: Coordinator, _ source: Source) {
  coordinator.controller = Controller() // ALLOC
  source.controller = coordinator.controller
}
@inline(never) func pop(_ coordinator: Coordinator) {
  coordinator.controller = nil // FREE
}
let coordinator = Coordinator(), source = Source()
push(coordinator, source)
#if !CLEAN
pop(coordinator)
#endif
source.change()
source.controller = nil
pop(coordinator)
print("end")
