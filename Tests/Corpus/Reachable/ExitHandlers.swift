// Handlers that run at exit keep what they use, and allocate more.
import Glibc
final class Report { var lines = 0; var more: Report? }
nonisolated(unsafe) var report: Report? = Report()
nonisolated(unsafe) let context = malloc(16)!.bindMemory(to: UnsafeMutableRawPointer.self, capacity: 2)
@inline(never) func keep() { context[0] = Unmanaged.passRetained(Report()).toOpaque() }
keep()
atexit {
  report?.more = Report()
  Unmanaged<Report>.fromOpaque(context[0]).release()
}
print("end")
