// object: Panel#1
// verdict: late
// rule: task
// finding: none
// A detached task's end releases it on another thread, but its deinit is isolated and runs on its actor.
@MainActor final class Panel {
  var drawn = 0
  isolated deinit { drawn = 0 }
}
@MainActor final class Scene {
  var panel: Panel?
  @inline(never) func open() { panel = Panel() }
  @inline(never) func close() {
    panel = nil // OWNER
  }
  @inline(never) func spawn() -> Task<Void, Never> {
    let panel = panel!
    return Task.detached {
      try? await Task.sleep(nanoseconds: 50_000_000)
      await MainActor.run { panel.drawn += 1 }
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
