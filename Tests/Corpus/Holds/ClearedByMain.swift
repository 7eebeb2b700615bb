// object: View#1
// verdict: late
// rule: dispatch-block
// finding: none
// Code outside of any method clears the property while a block has the view: the block's reference is not the property's.
import Dispatch
final class View: @unchecked Sendable { var drawn = 1 }
final class Controller { var view: View? = View() }
let controller = Controller()
let cleared = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
let queue = DispatchQueue(label: "views")
func start() {
  let view = controller.view!
  queue.async {
    cleared.wait()
    view.drawn += 1
    done.signal()
  }
}
start()
controller.view = nil // OWNER
cleared.signal()
done.wait()
queue.sync {}
print("end")
