// A stream that is being awaited, one that is buffered, and a task that keeps the iterator.
final class Value: @unchecked Sendable { var number = 1 }
let (stream, continuation) = AsyncStream<Value>.makeStream()
let (other, otherContinuation) = AsyncStream<Value>.makeStream()
@inline(never) func fill() { for _ in 0..<5 { otherContinuation.yield(Value()) } }
@inline(never) func listen() async {
  let last = Value()
  for await value in stream { last.number += value.number }
  print(last.number)
}
fill()
Task { await listen() }
for _ in 0..<10 { await Task.yield() }
print("end")
