// `quick_exit` with objects on the stack and in globals.
import Glibc
final class Resource { var next: Resource? }
let global = Resource()
@inline(never) func leave() {
  let resource = Resource()
  resource.next = Resource()
  print("end")
  fflush(nil)
  withExtendedLifetime(resource) { quick_exit(0) }
}
leave()
