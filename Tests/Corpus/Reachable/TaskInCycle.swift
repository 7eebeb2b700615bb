// Objects that keep themselves, and that tasks use while the program ends: one in a variable of the task, one as the
// object whose method waits, and one that a closure gave to the task.
final class Worker: @unchecked Sendable {
  var onDone: (() -> Void)?
  var me: Worker?
  var rounds = 0

  @inline(never) func work() async {
    me = self
    onDone = { self.rounds += 1 }
    while rounds >= 0 {
      rounds += 1
      try? await Task.sleep(for: .seconds(1000))
    }
    me = nil
  }
}

@inline(never) func begin() {
  Task {
    let worker = Worker()
    worker.me = worker
    while worker.rounds >= 0 {
      try? await Task.sleep(for: .seconds(1000))
      worker.rounds += 1
    }
  }
  Task { await Worker().work() }
  let worker = Worker()
  worker.onDone = { worker.rounds += 1 }
  Task {
    try? await Task.sleep(for: .seconds(1000))
    worker.onDone?()
  }
}

begin()
try? await Task.sleep(for: .milliseconds(50))
print("end")
