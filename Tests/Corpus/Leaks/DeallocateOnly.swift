// leak: 4 Tile
// findings: 1
// path:
// why: deallocated
// Memory is deallocated while it is still initialized: the references in it are lost.
final class Tile { var color = 1 }
@inline(never) func paint(_ count: Int) -> Int {
  let tiles = UnsafeMutablePointer<Tile>.allocate(capacity: count)
  for index in 0..<count {
    (tiles + index).initialize(to: Tile()) // ALLOC KEPT
  }
  let sum = (0..<count).reduce(0) { $0 + tiles[$1].color }
  #if CLEAN
  tiles.deinitialize(count: count)
  #endif
  tiles.deallocate()
  return sum
}
print(paint(4))
