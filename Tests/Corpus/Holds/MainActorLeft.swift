// object: Panel#1
// verdict: late
// rule: task
// finding: late-deallocation
// The main actor closes its panel after an asynchronous main function has left the main thread; a detached task keeps
// it, and its deinit runs outside of the main actor.
final class Panel: @unchecked Sendable { var drawn = 0; deinit { drawn = 0 } }
@MainActor final class Scene {
  var panel: Panel?
  var closes = 0
  @inline(never) func open() { panel = Panel() }
  @inline(never) func close() {
    panel = nil // OWNER
    closes += 1
  }
  @inline(never) func spawn() -> Task<Void, Never> {
    let panel = panel!
    return Task.detached {
      for await _ in closed { break }
      panel.drawn += 1
    }
  }
}
let (closed, close) = AsyncStream<Void>.makeStream()
let scene = Scene()
try? await Task.sleep(nanoseconds: 1_000_000)
scene.open()
let task = scene.spawn()
scene.close()
close.yield()
await task.value
try? await Task.sleep(nanoseconds: 50_000_000)
print("end")
