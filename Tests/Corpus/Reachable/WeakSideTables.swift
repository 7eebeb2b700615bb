// Weak references to live and freed objects, which allocate side tables.
final class Target { var value = 1 }
final class Holder { weak var target: Target?; var strong: Target? }
struct Weak { weak var target: Target? }
var holders: [Holder] = []
var weaks: [Weak] = []
@inline(never) func fill() {
  for number in 0..<100 {
    let target = Target(), holder = Holder()
    holder.target = target
    weaks.append(Weak(target: target))
    if number % 2 == 0 { holder.strong = target }
    holders.append(holder)
  }
}
fill()
print(holders.count { $0.target != nil }, weaks.count { $0.target != nil })
