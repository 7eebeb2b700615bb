// object: Hub#1
// The child tasks of a task that holds the hub run probes that refer to it unowned. In the twin the task itself creates
// the probes, so that its reference keeps the hub for as long as the children run.
import Foundation
final class Hub: @unchecked Sendable {
  let lock = NSLock()
  var count = 0
  func add(_ number: Int) { lock.withLock { count += number } }
}
final class Probe: @unchecked Sendable {
  unowned let hub: Hub
  init(_ hub: Hub) { self.hub = hub }
  @inline(never) func run() {
    hub.add(1) // ACCESS
  }
}
final class Owner: @unchecked Sendable {
  var hub: Hub? = Hub()
  @inline(never) func drop() { hub = nil }
}
@inline(never) func start(_ hub: Hub, _ gate: AsyncStream<Int>) -> Task<Int, Never> {
#if CLEAN
  Task.detached {
    for await _ in gate { break }
    let probes = (0..<3).map { _ in Probe(hub) }
    return await run(probes) + hub.count
  }
#else
  let probes = (0..<3).map { _ in Probe(hub) }
  return Task.detached {
    for await _ in gate { break }
    return await run(probes) + hub.count
  }
#endif
}
@inline(never) func run(_ probes: [Probe]) async -> Int {
  await withTaskGroup(of: Int.self) { group in
    for probe in probes {
      group.addTask {
        probe.run()
        return 1
      }
    }
    return await group.reduce(0, +)
  }
}
@inline(never) func run() async {
  let owner = Owner(), (gate, continuation) = AsyncStream.makeStream(of: Int.self)
  let task = start(owner.hub!, gate)
  owner.drop()
  continuation.yield(1)
  print(await task.value)
}
await run()
print("end")
