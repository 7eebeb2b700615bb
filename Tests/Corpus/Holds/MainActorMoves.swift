// object: Panel#1
// verdict: late
// rule: task
// finding: none
// The main function is asynchronous: the main actor continues on another thread, where its own task releases the panel.
final class Panel: @unchecked Sendable { var drawn = 0; deinit { drawn = 0 } }
@MainActor final class Scene {
  var panel: Panel?
  @inline(never) func open() { panel = Panel() }
  @inline(never) func close() {
    panel = nil // OWNER
  }
  @inline(never) func spawn() -> Task<Void, Never> {
    let panel = panel!
    return Task {
      try? await Task.sleep(nanoseconds: 50_000_000)
      panel.drawn += 1
    }
  }
}
let scene = Scene()
scene.open()
let task = scene.spawn()
scene.close()
await task.value
try? await Task.sleep(nanoseconds: 50_000_000)
print("end")
