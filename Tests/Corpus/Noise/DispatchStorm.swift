// Blocks that capture objects, on concurrent queues and groups, with sources and timers.
import Dispatch
final class Work: @unchecked Sendable { let id: Int; init(_ id: Int) { self.id = id }; func run() -> Int { id } }
let group = DispatchGroup(), queue = DispatchQueue(label: "q", attributes: .concurrent), serial = DispatchQueue(label: "s")
nonisolated(unsafe) var sum = 0
for index in 0..<200 {
  let work = Work(index)
  queue.async(group: group) { let value = work.run(); serial.async(group: group) { sum += value } }
}
group.wait()
let fired = DispatchSemaphore(value: 0)
let timer = DispatchSource.makeTimerSource()
let captured = Work(1)
timer.setEventHandler { _ = captured.run(); fired.signal() }
timer.schedule(deadline: .now())
timer.resume()
fired.wait()
timer.cancel()
print(serial.sync { sum })
