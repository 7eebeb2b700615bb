// A thread ended and left its result; it has not been joined yet.
import Glibc
final class Answer { var value = 42 }
@inline(never) func answer() -> UnsafeMutableRawPointer { Unmanaged.passRetained(Answer()).toOpaque() }
var thread = pthread_t()
pthread_create(&thread, nil, { _ in answer() }, nil)
usleep(50_000)
print("end")
