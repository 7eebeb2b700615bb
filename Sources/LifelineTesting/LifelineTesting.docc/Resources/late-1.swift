import Foundation

final class Download {
  private var bytes = 0
  func received(_ count: Int) { bytes += count }
}

final class Screen {
  var download: Download? = Download()
  var token: (any NSObjectProtocol)?

  func close() {
    if let token { NotificationCenter.default.removeObserver(token) }
    token = nil
    download = nil
  }
}

final class ProgressBar {
  unowned(unsafe) let download: Download
  init(_ download: Download) { self.download = download }
  func update() { download.received(1) }
}

let cancelled = Notification.Name("cancelled")
let screen = Screen()
let bar = ProgressBar(screen.download!)

func observe(_ screen: Screen) {
  guard let download = screen.download else { return }
  screen.token = NotificationCenter.default.addObserver(forName: cancelled, object: nil, queue: nil) { _ in
    download.received(0)
    screen.close()
    bar.update()
  }
}

observe(screen)
NotificationCenter.default.post(name: cancelled, object: nil)
print("cancelled")
