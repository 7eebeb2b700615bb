// object: Download#1
// The function took its reference from a weak property; what the owner's setter released was not that.
class Download { var bytes = 0; func report() -> Int { bytes } }
class Meter {
#if CLEAN
  weak var download: Download?
#else
  unowned(unsafe) var download: Download
#endif
  init(_ download: Download) { self.download = download }
#if CLEAN
  @inline(never) func update() -> Int { download?.report() ?? -1 }
#else
  @inline(never) func update() -> Int {
    download.report() // ACCESS
  }
#endif
}
class Manager {
  var active: Download?
  var meter: Meter?
  @inline(never) func begin() {
    let download = Download()
    active = download
    meter = Meter(download)
  }
}
class Receiver {
  weak var download: Download?
  func receive(_ manager: Manager) {
    guard let download else { return }
    cancel(manager)
    print(manager.meter!.update())
    print(download.bytes)
  }
}
@inline(never) func cancel(_ manager: Manager) { manager.active = nil }
let manager = Manager()
manager.begin()
let receiver = Receiver()
receiver.download = manager.active
receiver.receive(manager)
print("end")
