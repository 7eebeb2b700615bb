// leak: 1 Pipeline
// path: Pipeline.stages, Throttle.pipeline
// change: Make Throttle.pipeline weak or unowned
// One of several values of a protocol type in an array is a struct with a reference back, too large for the array.
protocol Stage { func apply(_ value: Int) -> Int? }
struct Doubling: Stage { func apply(_ value: Int) -> Int? { value * 2 } }
struct Throttle: Stage {
  let limit: Int
  let window: Double
  let label: String
  #if CLEAN
  unowned let pipeline: Pipeline
  #else
  let pipeline: Pipeline
  #endif
  func apply(_ value: Int) -> Int? {
    pipeline.passed += 1
    return pipeline.passed > limit ? nil : value
  }
}
final class Pipeline {
  var stages: [any Stage] = []
  var passed = 0
  func run(_ value: Int) -> Int? { stages.reduce(value) { value, stage in value.flatMap(stage.apply) } }
}
@inline(never) func run(_ count: Int) -> Int {
  let pipeline = Pipeline() // ALLOC
  pipeline.stages = [Doubling()] // KEPT-CALL
  pipeline.stages.append(Throttle(limit: 3, window: 0.5, label: "three at most", pipeline: pipeline)) // KEPT
  return (0..<count).compactMap(pipeline.run).reduce(0, +)
}
print(run(10))
