// A thread reads a probe through an unowned reference while its station owns it. Long after that the station gives the
// probe to a block and lets go of it. No count shows that the thread was first: it retained and released in between.
import Foundation
class Probe: @unchecked Sendable {
  var readings = 0
  @inline(never) func measure() { readings += 1 }
}
final class Display: @unchecked Sendable {
  unowned(unsafe) var probe: Probe?
  @inline(never) func refresh() { probe?.measure() }
}
final class Station: @unchecked Sendable {
  var probe: Probe?
  let queue = DispatchQueue(label: "station")
  @inline(never) func install(_ probe: Probe) { self.probe = probe }
  @inline(never) func measureLater(_ probe: Probe) { queue.async { probe.measure() } }
  @inline(never) func remove() { probe = nil }
}
@inline(never) func makeProbe() -> Probe { Probe() }
let display = Display(), station = Station()
station.install(makeProbe())
display.probe = station.probe
let isRefreshed = DispatchSemaphore(value: 0)
Thread {
  display.refresh()
  isRefreshed.signal()
}.start()
isRefreshed.wait()
usleep(20_000)
display.probe = nil
station.measureLater(station.probe!)
station.remove()
station.queue.sync {}
print("measured")
