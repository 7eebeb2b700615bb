protocol DownloadDelegate: AnyObject {
  func downloadFinished()
}

final class Screen: DownloadDelegate {
  private var finished = 0
  func downloadFinished() { finished += 1 }
}

final class Download {
  weak var delegate: (any DownloadDelegate)?
  init(delegate: any DownloadDelegate) { self.delegate = delegate }
  func finish() { delegate?.downloadFinished() }
}

func openScreen() -> Download {
  let screen = Screen()
  return Download(delegate: screen)
}

let download = openScreen()
download.finish()
print("finished")
