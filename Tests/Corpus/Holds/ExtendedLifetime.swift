// object: Lock#1
// verdict: late
// rule: extended-lifetime
// finding: none
// listed: no
// The history shows the hold; a report does not list it, since the release at its end does not show withExtendedLifetime.
// The owner releases the object inside withExtendedLifetime, which keeps it until the end of the call.
final class Lock { var taken = 0 }
final class Door { var lock: Lock? = Lock() }
@inline(never) func open(_ door: Door) {
  withExtendedLifetime(door.lock) {
    release(door)
    print("still there")
  }
}
@inline(never) func release(_ door: Door) {
  door.lock = nil // OWNER
}
let door = Door()
open(door)
print("end")
