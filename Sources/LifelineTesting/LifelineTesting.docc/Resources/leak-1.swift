final class Session {
  var onEvent: (() -> Void)?
  private var events = 0

  func start() {
    onEvent = { self.handle() }
  }

  private func handle() { events += 1 }
}

func serve() {
  let session = Session()
  session.start()
  session.onEvent?()
}

for _ in 1...3 { serve() }
print("served")
