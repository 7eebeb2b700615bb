// leak: 1 Downloader
// path:
// not: weakly
// A task waits for its group, and the group for a continuation that is never resumed: however the closures capture the
// actor, its method holds it while it waits.
actor Downloader {
  private var waiting: [Int: CheckedContinuation<Int, Never>] = [:]
  private var supervisor: Task<Int, Never>?
  var count: Int { waiting.count }
  func fetch(_ id: Int) async -> Int {
    await withCheckedContinuation { waiting[id] = $0 } // KEPT
  }
  func start() {
    supervisor = Task {
      await withTaskGroup(of: Int.self) { group in
        for id in 0..<3 { group.addTask { await self.fetch(id) } } // KEPT
        var sum = 0
        for await value in group { sum += value } // KEPT
        return sum
      }
    } // KEPT
  }
  func complete(_ id: Int) { waiting.removeValue(forKey: id)?.resume(returning: id) }
}
@inline(never) func run() async -> Int {
  let downloader = Downloader() // ALLOC
  await downloader.start() // KEPT-CALL
  while await downloader.count < 3 { try? await Task.sleep(nanoseconds: 1_000_000) }
  await downloader.complete(0)
  await downloader.complete(1)
  #if CLEAN
  await downloader.complete(2)
  #endif
  try? await Task.sleep(nanoseconds: 20_000_000)
  return await downloader.count
}
print(await run())
