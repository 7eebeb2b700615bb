// leak: 1 Model, 1 Screen
// path: Screen.model, Model._$observationRegistrar, closure
// change: Capture self weakly
// not: installTracking
// The closure that observes a model captures its owner. The path leads through objects and closures of the library
// Observation; only the program's own capture can be changed.
import Observation
@Observable final class Model { var score = 0 }
final class Screen: @unchecked Sendable {
  let model = Model() // ALLOC
  var renders = 0
  func render() {
    #if CLEAN
    withObservationTracking { renders += model.score } onChange: { [weak self] in self?.renders += 1 }
    #else
    withObservationTracking { renders += model.score } onChange: { self.renders += 1 } // KEPT
    #endif
  }
}
@inline(never) func show() -> Int {
  let screen = Screen() // ALLOC
  screen.render() // KEPT
  return screen.renders
}
print(show()) // KEPT-CALL
