// Deinitialized objects that unowned references keep: memory, but not a leak.
final class Model { var name = "m"; deinit { count += 1 } }
final class View { unowned let model: Model; init(_ model: Model) { self.model = model } }
nonisolated(unsafe) var count = 0
var views: [View] = []
@inline(never) func show() {
  let model = Model()
  views.append(View(model))
  views.append(View(model))
}
for _ in 0..<10 { show() }
print(views.count, count)
