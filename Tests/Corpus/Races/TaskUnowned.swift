// class: Model
// kind: unowned-after-deinit
// A task has an unowned reference to the model that starts it; the model's owner does not wait for the task.
import Foundation
let running = DispatchSemaphore(value: 0)
class Model: @unchecked Sendable {
  var steps = 0
  @inline(never) func step() { steps += 1 }
  @inline(never) func begin() -> Task<Void, Never> {
    #if CLEAN
    Task.detached { [self] in
      running.signal()
      for _ in 0..<5 { step() }
    }
    #else
    Task.detached { [unowned self] in // ACCESS
      running.signal()
      for _ in 0..<5 { step() } // ACCESS
    }
    #endif
  }
}
final class Owner: @unchecked Sendable { var model: Model? = Model() } // ALLOC
let owner = Owner()
let task = owner.model!.begin()
running.wait()
usleep(3000)
@inline(never) func letGo() {
  owner.model = nil // FREE
}
letGo()
await task.value
print("end")
