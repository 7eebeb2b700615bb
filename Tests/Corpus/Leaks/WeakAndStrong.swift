// leak: 1 Host, 1 Guest
// path: Host.guest, Guest.host
// A weak reference and a strong one beside it; the side table hides the reference count.
final class Host { var guest: Guest? }
final class Guest { weak var friend: Host?; var host: Host? }
@inline(never) func meet() -> Bool {
  let host = Host() // ALLOC
  let guest = Guest() // ALLOC
  host.guest = guest
  guest.friend = host
  #if !CLEAN
  guest.host = host // KEPT
  #endif
  return guest.friend === host
}
print(meet())
