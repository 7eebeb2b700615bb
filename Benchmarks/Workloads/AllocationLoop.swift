/// An object that lives for one repetition.
private final class Short {
  let value: Int
  @inline(never)
  init(value: Int) { self.value = value }
}

@inline(never)
private func make(_ value: Int) -> Short { Short(value: value) }

/// Allocates and frees `count` objects, one at a time.
@inline(never)
func allocateAndFree(_ count: Int) -> Int {
  var sum = 0
  for value in 0..<count { sum &+= make(value).value }
  return sum
}
