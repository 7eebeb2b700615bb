// object: Upload#1
// verdict: on time
// rule: 
// finding: none
// Only the block was ever meant to own it.
import Dispatch
final class Upload { var bytes = 0; func run() { bytes += 1 } }
let queue = DispatchQueue(label: "upload")
@inline(never) func send() {
  let upload = Upload()
  queue.async { upload.run() }
}
send()
queue.sync {}
queue.sync {}
print("end")
