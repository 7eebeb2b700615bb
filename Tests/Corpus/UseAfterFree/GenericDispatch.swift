// class: Circle
// kind: use-after-free
// A generic function calls through the witness table of a freed object's class.
protocol Shape: AnyObject { func area() -> Double }
class Circle: Shape { var radius = 2.0; func area() -> Double { radius * radius } }
final class Drawing { var shapes: [Circle] = [] }
@inline(never) func measure<S: Shape>(_ shape: Unmanaged<S>) -> Double {
  shape.takeUnretainedValue().area() // ACCESS
}
@inline(never) func draw(_ drawing: Drawing) -> Unmanaged<Circle> {
  let circle = Circle() // ALLOC
  drawing.shapes.append(circle)
  return .passUnretained(circle)
}
@inline(never) func clear(_ drawing: Drawing) {
  drawing.shapes.removeAll() // FREE
}
let drawing = Drawing()
let circle = draw(drawing)
#if !CLEAN
clear(drawing) // FREE-CALL
#endif
print(measure(circle) >= 0)
clear(drawing)
