// Timers that have not fired yet: a Dispatch source, an asyncAfter block, a run loop timer.
import Foundation
final class Alarm: @unchecked Sendable { var rings = 0; var timer: DispatchSourceTimer? }
@inline(never) func arm() {
  let alarm = Alarm()
  let timer = DispatchSource.makeTimerSource(queue: .global())
  timer.schedule(deadline: .now() + 1000)
  timer.setEventHandler { alarm.rings += 1 }
  timer.activate()
  alarm.timer = timer
  let later = Alarm()
  DispatchQueue.global().asyncAfter(deadline: .now() + 1000) { later.rings += 1 }
  let main = Alarm()
  DispatchQueue.main.asyncAfter(deadline: .now() + 1000) { main.rings += 1 }
  let loop = Alarm()
  _ = Timer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in loop.rings += 1 }
}
arm()
print("end")
