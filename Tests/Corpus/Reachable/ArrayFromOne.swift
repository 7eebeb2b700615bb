// An array whose first element has the number 1: only the address one element before it is known.
final class Sample { let value: Int; init(_ value: Int) { self.value = value } }
struct Vector {
  /// Of the element 0, which does not exist.
  let base: UnsafeMutablePointer<Sample>
  let count: Int
  init(_ count: Int) {
    base = UnsafeMutablePointer<Sample>.allocate(capacity: count) - 1
    self.count = count
    for number in 1...count { (base + number).initialize(to: Sample(number)) }
  }
}
nonisolated(unsafe) var vectors: [Vector] = []
@inline(never) func fill() { for count in [1, 2, 30] { vectors.append(Vector(count)) } }
fill()
@inline(never) func sum() -> Int { vectors.reduce(0) { $0 + $1.base[$1.count].value } }
print(sum())
