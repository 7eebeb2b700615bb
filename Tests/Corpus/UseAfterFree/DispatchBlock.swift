// class: Upload
// kind: use-after-free
// A block on another queue runs after its object was freed.
import Dispatch
class Upload { var bytes = 0; func progress(_ count: Int) { bytes += count } }
final class Manager { var upload: Upload? }
let queue = DispatchQueue(label: "upload")
@inline(never) func start(_ manager: Manager) {
  let upload = Upload() // ALLOC
  manager.upload = upload
  queue.async { [unowned(unsafe) upload] in
    upload.progress(10) // ACCESS
  }
}
@inline(never) func cancel(_ manager: Manager) {
  manager.upload = nil // FREE
}
let manager = Manager()
queue.suspend()
start(manager)
#if !CLEAN
cancel(manager)
#endif
queue.resume()
queue.sync {}
cancel(manager)
print("end")
