// `exit` deep in a call chain, every frame of which holds an object.
import Glibc
final class Level { var depth: Int; init(_ depth: Int) { self.depth = depth } }
@inline(never) func descend(_ depth: Int) -> Int {
  let level = Level(depth)
  let levels = [Level(depth), Level(depth)]
  if depth == 0 {
    print("end")
    exit(0)
  }
  return descend(depth - 1) + level.depth + levels.count
}
print(descend(50))
