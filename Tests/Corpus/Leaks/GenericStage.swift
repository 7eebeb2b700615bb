// leak: 1 Pipeline
// path: Pipeline.stage
// says: Pipeline.stage → Throttle → Pipeline
// change: the reference in Pipeline.stage
// A generic struct with a reference back is too large for the buffer of a protocol type.
protocol Stage { func apply(_ value: Int) -> Int? }
struct Throttle<Label: Sendable>: Stage {
  let limit: Int
  let window: Double
  let label: Label
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
  var stage: (any Stage)?
  var passed = 0
  @inline(never) func run(_ value: Int) -> Int? { stage?.apply(value) }
}
@inline(never) func run(_ count: Int) -> Int {
  let pipeline = Pipeline() // ALLOC
  pipeline.stage = Throttle(limit: 3, window: 0.5, label: "three at most", pipeline: pipeline) // KEPT
  return (0..<count).compactMap(pipeline.run).reduce(0, +)
}
print(run(10))
