// leak: 1 Engine, 1 Part
// path: Engine.plan, Part.engine
// A cycle through a struct that is too large for an existential's buffer, so it is in a box.
protocol Plan { var steps: Int { get } }
struct LargePlan: Plan { var a = 1, b = 2, c = 3, d = 4; var part: Part; var steps: Int { a + b + c + d } }
final class Engine { var plan: (any Plan)? }
final class Part {
  #if CLEAN
  weak var engine: Engine?
  #else
  var engine: Engine?
  #endif
}
@inline(never) func assemble() -> Int {
  let engine = Engine() // ALLOC
  let part = Part() // ALLOC
  part.engine = engine // KEPT
  engine.plan = LargePlan(part: part) // KEPT-CALL
  return engine.plan!.steps
}
print(assemble())
