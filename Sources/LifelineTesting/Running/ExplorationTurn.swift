/// Allows one explored test at a time, because a schedule holds the threads of the whole process.
actor ExplorationTurn {
  static let shared = ExplorationTurn()

  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated func perform(_ body: () async throws -> Void) async throws {
    await take()
    do {
      try await body()
    } catch {
      await give()
      throw error
    }
    await give()
  }

  private func take() async {
    if isTaken {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isTaken = true
    }
  }

  private func give() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
  }
}
