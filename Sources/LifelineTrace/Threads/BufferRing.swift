import Glibc

/// A few buffers that one thread fills and another one empties, in turn and in order.
final class BufferRing<Buffer: AnyObject> {
  private let buffers: [Buffer]
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let change: UnsafeMutablePointer<pthread_cond_t>
  /// Buffers that were filled, and emptied, so far.
  private var filled = 0
  private var emptied = 0
  private var isStopped = false

  init(_ buffers: [Buffer]) {
    self.buffers = buffers
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
    change = .allocate(capacity: 1)
    pthread_cond_init(change, nil)
  }

  deinit {
    pthread_cond_destroy(change)
    change.deallocate()
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  private func changing<Result>(when isTrue: () -> Bool, _ body: () -> Result) -> Result {
    pthread_mutex_lock(lock)
    while !isTrue() { pthread_cond_wait(change, lock) }
    let result = body()
    pthread_cond_broadcast(change)
    pthread_mutex_unlock(lock)
    return result
  }

  /// Waits for a buffer to fill; nil if no more are wanted.
  func nextEmpty() -> Buffer? {
    changing(when: { isStopped || filled - emptied < buffers.count }) {
      isStopped ? nil : buffers[filled % buffers.count]
    }
  }

  /// Hands over the filled buffer.
  func handOver() { changing(when: { true }) { filled += 1 } }

  /// Waits for the next filled buffer.
  func nextFilled() -> Buffer { changing(when: { filled > emptied }) { buffers[emptied % buffers.count] } }

  /// Gives back the buffer returned by `nextFilled`.
  func giveBack() { changing(when: { true }) { emptied += 1 } }

  /// Wants no more buffers.
  func stop() { changing(when: { true }) { isStopped = true } }
}
