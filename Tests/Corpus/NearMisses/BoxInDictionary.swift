// object: Plugin#1
// A hub has its plugins in generic non-owning boxes; one is unloaded while an asyncAfter block holds it.
import Dispatch
class Plugin: @unchecked Sendable { var calls = 0; func handle() { calls += 1 } }
struct Box<Target: AnyObject> {
#if CLEAN
  weak var target: Target?
  init(_ target: Target) { self.target = target }
  func get() -> Target? { target }
#else
  let target: Unmanaged<Target>
  init(_ target: Target) { self.target = .passUnretained(target) }
  func get() -> Target? {
    target.takeUnretainedValue() // ACCESS
  }
#endif
}
final class Hub {
  var plugins: [Int: Box<Plugin>] = [:]
  @inline(never) func fire() {
    for box in plugins.values {
      box.get()?.handle() // ACCESS
    }
  }
}
final class Manager {
  var plugin: Plugin? = Plugin()
  @inline(never) func unload() { plugin = nil }
}
let hub = Hub()
let manager = Manager()
let queue = DispatchQueue(label: "later")
let done = DispatchSemaphore(value: 0)
@inline(never) func plan(_ plugin: Plugin) {
  queue.asyncAfter(deadline: .now() + .milliseconds(30)) { plugin.handle(); done.signal() }
}
@inline(never) func run(_ manager: Manager) {
  hub.plugins[1] = Box(manager.plugin!)
  plan(manager.plugin!)
  manager.unload()
}
run(manager)
hub.fire()
done.wait()
queue.sync {}
print("end")
