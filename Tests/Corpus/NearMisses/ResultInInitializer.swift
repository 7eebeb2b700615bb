// object: Decoder#1
// A thread holds the decoder. What was created from a getter's result reads its unowned reference.
import Foundation
class Decoder: @unchecked Sendable { var frames = 0; func decode() { frames += 1 } }
final class Player: @unchecked Sendable {
  private var decoder: Decoder? = Decoder()
  var current: Decoder { decoder! }
  @inline(never) func stop() { decoder = nil }
}
final class Statistics: @unchecked Sendable {
  var samples = 0
#if CLEAN
  weak var decoder: Decoder?
#else
  unowned let decoder: Decoder
#endif
  init(_ decoder: Decoder) { self.decoder = decoder }
#if CLEAN
  @inline(never) func sample() { samples += decoder?.frames ?? 0 }
#else
  @inline(never) func sample() { samples += decoder.frames } // ACCESS
#endif
}
let go = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
let player = Player(), statistics = Statistics(player.current)
@inline(never) func start() {
  let decoder = player.current
  let thread = Thread {
    go.wait()
    decoder.decode()
    statistics.sample()
    done.signal()
  }
  thread.start()
}
start()
player.stop()
go.signal()
done.wait()
usleep(20_000)
print("end", statistics.samples)
