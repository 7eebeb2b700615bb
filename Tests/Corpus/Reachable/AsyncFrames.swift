// `exit` while the main task, a child of a group and an `async let` wait with objects in their frames.
import Glibc
final class Frame: @unchecked Sendable { var depth = 1 }
@inline(never) func sleep(_ frame: Frame) async -> Int {
  let own = Frame()
  try? await Task.sleep(nanoseconds: 1_000_000_000_000)
  return own.depth + frame.depth
}
@inline(never) func leave() async -> Int {
  let frame = Frame()
  try? await Task.sleep(nanoseconds: 20_000_000)
  print("end")
  withExtendedLifetime(frame) { exit(0) }
}
@inline(never) func run() async -> Int {
  let frame = Frame()
  async let one = sleep(Frame())
  async let two = sleep(frame)
  let three = await withTaskGroup(of: Int.self) { group in
    group.addTask { await sleep(Frame()) }
    group.addTask { await leave() }
    return await group.reduce(0, +)
  }
  return await one + two + three + frame.depth
}
print(await run())
