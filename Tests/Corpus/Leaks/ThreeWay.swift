// leak: 1 Coordinator, 1 Flow, 1 Step
// path: Coordinator.flow, Flow.steps, Step.finish, closure
// The cycle consists of three objects of different classes and a closure that captures the first.
final class Step { var finish: (() -> Void)? }
final class Flow { var steps: [Step] = [] }
final class Coordinator {
  var flow: Flow?
  var finished = 0
  @inline(never) func start() {
    let flow = Flow() // ALLOC
    let step = Step() // ALLOC
    flow.steps = [step]
    self.flow = flow
    #if CLEAN
    step.finish = { [weak self] in self?.finished += 1 }
    #else
    step.finish = { self.finished += 1 } // KEPT
    #endif
    step.finish?()
  }
}
@inline(never) func run() -> Int {
  let coordinator = Coordinator() // ALLOC
  coordinator.start() // KEPT-CALL
  return coordinator.finished
}
print(run())
