// object: Pilot#1
// A method keeps what a getter returned in a local list, filters it and uses it. Its class has a lock, a number and a
// list of structs, none of which can hold a pilot.
import Foundation
class Pilot: @unchecked Sendable { var isReady = true; var miles = 0; func fly() -> Int { miles += 1; return miles } }
final class Cockpit {
#if CLEAN
  private weak var seated: Pilot?
#else
  private unowned(unsafe) var seated: Pilot?
#endif
  init(_ pilot: Pilot) { seated = pilot }
  var pilot: Pilot? {
    seated // ACCESS
  }
}
struct Badge { unowned(unsafe) var pilot: Pilot?; var number = 0 }
final class Tower {
  private let lock = NSLock()
  private var badges = [Badge(pilot: nil)]
  private var flights = 0, log = ""
  var cockpits: [Cockpit] = []
  @inline(never) func start() -> Int {
    let pilots = cockpits.compactMap { $0.pilot } // ACCESS
    let ready = pilots.filter { $0.isReady }
    lock.withLock { flights += ready.count + badges[0].number }
    return ready.map { $0.fly() }.reduce(0, +)
  }
}
final class Roster { var pilot: Pilot? = Pilot(); @inline(never) func dismiss() { pilot = nil } }
@inline(never) func train(_ roster: Roster, _ begin: DispatchSemaphore, _ done: DispatchSemaphore) {
  let pilot = roster.pilot!
  DispatchQueue.global().async {
    begin.wait()
    pilot.miles += 100
    done.signal()
  }
}
func run() {
  let roster = Roster(), tower = Tower(), begin = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
  tower.cockpits.append(Cockpit(roster.pilot!))
  train(roster, begin, done)
  usleep(20_000)
  roster.dismiss()
  print(tower.start())
  begin.signal()
  done.wait()
}
run()
usleep(50_000)
print("end")
