// leak: 1 Feed
// path: Feed.onChange
// A task that refers to a feed weakly takes it for a moment in each round and sleeps without it. Unoptimized code leaves
// the reference of the last round in the task's frame, where it keeps nothing.
final class Feed: @unchecked Sendable {
  var onChange: (() -> Void)?
  var rounds = 0

  @inline(never) func start() {
    #if CLEAN
    onChange = { [weak self] in self?.rounds += 1 }
    #else
    onChange = { self.rounds += 1 } // KEPT
    #endif
    Task { [weak self] in
      for round in 0... {
        try? await Task.sleep(for: round < 4 ? .milliseconds(2) : .seconds(1000))
        guard let self else { return }
        self.poll()
      }
    }
  }

  @inline(never) func poll() { rounds += 1 }
}

@inline(never) func open() async -> Int {
  let feed = Feed() // ALLOC
  feed.start()
  while feed.rounds < 4 { try? await Task.sleep(for: .milliseconds(1)) }
  return 4
}

print(await open())
try? await Task.sleep(for: .milliseconds(200))
print("end")
