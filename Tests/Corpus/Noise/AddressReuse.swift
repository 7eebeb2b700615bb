// Objects of different classes that reuse the same addresses again and again.
final class A { var x = 1 }
final class B { var x = 1; var y = 2 }
final class C { var z = (1, 2, 3, 4) }
@inline(never) func one(_ index: Int) -> Int { index % 3 == 0 ? A().x : index % 3 == 1 ? B().y : C().z.3 }
var kept: [AnyObject] = []
var sum = 0
for index in 0..<3000 {
  sum += one(index)
  if index % 50 == 0 { kept.append(A()) }
  if kept.count > 10 { kept.removeFirst() }
}
print(sum)
