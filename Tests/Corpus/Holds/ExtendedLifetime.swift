// object: Lock#1
// verdict: late
// rule: extended-lifetime
// finding: none
// listed: no
// The hold shows in the history; a report lists it not, since the release at its end does not tell withExtendedLifetime.
// The owner lets go inside withExtendedLifetime, which keeps the object to its end.
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
