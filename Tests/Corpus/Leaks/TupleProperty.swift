// leak: 1 Left, 1 Right
// path: Left.pair, Right.left
// A cycle through a tuple.
final class Left { var pair: (Int, right: Right?) = (0, nil) }
final class Right { var left: Left? }
@inline(never) func pair(_ left: Left, _ right: Right) {
  left.pair = (7, right)
  #if !CLEAN
  right.left = left // KEPT
  #endif
}
@inline(never) func join() -> Int {
  let left = Left() // ALLOC
  let right = Right() // ALLOC
  pair(left, right) // KEPT-CALL
  return left.pair.0
}
print(join())
