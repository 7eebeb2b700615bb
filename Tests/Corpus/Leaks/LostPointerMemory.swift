// leak: 2 Sprite
// findings: 1
// path:
// why: memory
// Swift's own typed memory is lost, with the objects in it.
final class Sprite { var x = 1 }
@inline(never) func load(_ count: Int) -> Int {
  let sprites = UnsafeMutablePointer<Sprite>.allocate(capacity: count)
  for index in 0..<count { (sprites + index).initialize(to: Sprite()) } // ALLOC KEPT
  let sum = (0..<count).reduce(0) { $0 + sprites[$1].x }
  #if CLEAN
  sprites.deinitialize(count: count)
  sprites.deallocate()
  #endif
  return sum
}
print(load(2))
