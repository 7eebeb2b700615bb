// leak: 1 Model, 1 View
// path: Model._$observationRegistrar, View.model
// change: Cancel the task that waits for the next change of what it observes
// The task waits for the next change of a model that only it refers to.
import Observation

@MainActor @Observable final class Model { var title = "a" }
@MainActor final class View {
  let model: Model
  var shown: [String] = []
  var task: Task<Void, Never>?
  init(_ model: Model) { self.model = model } // KEPT
  func start() {
    task = Task {
      // The closure and the loop both use self.
      for await title in Observations({ self.model.title }) { self.shown.append(title) } // KEPT
    }
  }
}
@MainActor func show() async -> Int {
  let view = View(Model())
  view.start()
  while view.shown.isEmpty { await Task.yield() }
  // Until it waits for the next change.
  try? await Task.sleep(nanoseconds: 20_000_000)
  #if CLEAN
  view.task?.cancel()
  await view.task?.value
  view.task = nil
  #endif
  return view.shown.count
}
print(await show())
