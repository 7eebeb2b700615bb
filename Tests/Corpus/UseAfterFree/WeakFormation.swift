// class: Target
// kind: use-after-free
// A weak reference is made to an object that was already freed.
class Target { var hits = 0 }
final class Range { var target: Target? }
final class Aim { weak var target: Target? }
@inline(never) func set(_ range: Range) -> Unmanaged<Target> {
  range.target = Target() // ALLOC
  return .passUnretained(range.target!)
}
@inline(never) func remove(_ range: Range) {
  range.target = nil // FREE
}
@inline(never) func aim(_ target: Unmanaged<Target>) -> Aim {
  let aim = Aim()
  aim.target = target.takeUnretainedValue() // ACCESS
  return aim
}
let range = Range()
let target = set(range)
#if !CLEAN
remove(range)
#endif
print(aim(target).target == nil)
remove(range)
