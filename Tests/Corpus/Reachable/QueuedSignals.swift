// Objects that are sent with pending signals: only the kernel has their addresses.
import Glibc
final class Message { var text = "m" }
let number: Int32 = 40
var signals = sigset_t()
sigemptyset(&signals)
sigaddset(&signals, number)
pthread_sigmask(SIG_BLOCK, &signals, nil)
typealias SendToThread = @convention(c) (pthread_t, Int32, sigval) -> Int32
let sendToThread = unsafeBitCast(dlsym(nil, "pthread_sigqueue")!, to: SendToThread.self)
@inline(never) func send(_ count: Int) {
  for _ in 0..<count {
    var value = sigval()
    value.sival_ptr = Unmanaged.passRetained(Message()).toOpaque()
    sigqueue(getpid(), number, value)
    value.sival_ptr = Unmanaged.passRetained(Message()).toOpaque()
    _ = sendToThread(pthread_self(), number, value)
  }
}
send(70)
print("end")
