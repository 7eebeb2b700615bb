import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

/// An exploration holds threads at locks, semaphores, queues and tasks as well; a recording leaves those alone.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct MeetingTests {
  /// Prints the first byte of functions where threads meet: 0xE9 is a detour's jump.
  private static let entries = """
    import Dispatch
    import Glibc
    final class Node {}
    _ = Node()
    let names = ["pthread_mutex_lock", "pthread_mutex_unlock", "sem_post", "dispatch_async", "dispatch_semaphore_wait"]
    print(names.map { name in
      dlsym(nil, name).map { $0.load(as: UInt8.self) == 0xE9 ? "detoured" : "as it was" } ?? "missing"
    })
    DispatchQueue.global().sync {}
    """

  @Test("An exploration patches functions of libc and libdispatch; a recording does not")
  func onlyExplored() throws {
    let program = try TestProgram(Self.entries)
    let recorded = try RecordedRun(program)
    #expect(recorded.behavesTheSame)
    #expect(recorded.traced.output == "\(Array(repeating: "as it was", count: 5))\n")
    let explored = try RecordedRun(program, options: "explore=learn")
    #expect(explored.traced.output == "\(Array(repeating: "detoured", count: 5))\n")
    #expect(explored.trace.tables.notices == [])
  }

  /// Calls functions that succeed and functions that fail, and prints errno; then four threads contend.
  private static let everything = """
    import Foundation
    final class Node { var value = 0 }
    func said(_ name: String, _ call: () -> Int32) {
      errno = 77
      let result = call()
      print(name, result, errno)
    }
    var past = timespec(tv_sec: 1, tv_nsec: 0)
    var mutex = pthread_mutex_t(), condition = pthread_cond_t(), rwlock = pthread_rwlock_t(), semaphore = sem_t()
    pthread_mutex_init(&mutex, nil)
    pthread_cond_init(&condition, nil)
    pthread_rwlock_init(&rwlock, nil)
    sem_init(&semaphore, 0, 1)
    said("lock") { pthread_mutex_lock(&mutex) }
    said("trylock") { pthread_mutex_trylock(&mutex) }
    said("timedlock") { pthread_mutex_timedlock(&mutex, &past) }
    said("cond") { pthread_cond_timedwait(&condition, &mutex, &past) }
    said("signal") { pthread_cond_signal(&condition) }
    said("broadcast") { pthread_cond_broadcast(&condition) }
    said("unlock") { pthread_mutex_unlock(&mutex) }
    said("rdlock") { pthread_rwlock_rdlock(&rwlock) }
    said("trywrlock") { pthread_rwlock_trywrlock(&rwlock) }
    said("rwunlock") { pthread_rwlock_unlock(&rwlock) }
    said("wrlock") { pthread_rwlock_wrlock(&rwlock) }
    said("rwunlock") { pthread_rwlock_unlock(&rwlock) }
    said("sem_wait") { sem_wait(&semaphore) }
    said("sem_trywait") { sem_trywait(&semaphore) }
    said("sem_timedwait") { sem_timedwait(&semaphore, &past) }
    said("sem_post") { sem_post(&semaphore) }
    let group = DispatchGroup(), queue = DispatchQueue(label: "all", attributes: .concurrent)
    let counted = DispatchSemaphore(value: 0), lock = NSLock(), node = Node()
    print(counted.wait(timeout: .now()) == .timedOut)
    for _ in 0..<4 {
      queue.async(group: group) {
        for _ in 0..<50 { lock.withLock { node.value += 1 } }
        counted.signal()
      }
    }
    group.notify(queue: queue) { counted.signal() }
    for _ in 0..<5 { counted.wait() }
    group.wait()
    queue.async(flags: .barrier) { node.value += 1 }
    queue.asyncAfter(deadline: .now()) { counted.signal() }
    counted.wait()
    print(queue.sync(flags: .barrier) { node.value })
    actor Counter {
      var value = 0
      func add() { value += 1 }
    }
    let counter = Counter()
    await withTaskGroup(of: Void.self) { tasks in
      for _ in 0..<20 { tasks.addTask { await counter.add(); await Task.yield(); await counter.add() } }
    }
    print(await counter.value)
    """

  @Test(
    "Locks, semaphores, queues and tasks behave and set errno as without exploration, whichever threads are held",
    arguments: ["explore=learn"] + (1...8).map { "explore=\($0):explore-budget=200000" })
  func transparent(_ options: String) throws {
    let run = try RecordedRun(Self.program.get(), options: "\(options):zombies=1")
    #expect(run.behavesTheSame, "\(run.plain) \(run.traced)")
    #expect(run.trace.recording.points > 500)
    #expect(run.trace.problems == [] && run.trace.tables.notices == [])
  }

  private static let program = Result { try TestProgram(everything) }

  @Test("Each side of a meeting is recorded with the object that threads meet at")
  func sides() throws {
    let run = try RecordedRun(Self.program.get(), options: "explore=learn")
    let reader = run.trace.events()
    var event = Event()
    var sides: Set<SchedulePoint.Side> = []
    while try reader.next(&event) {
      guard let point = SchedulePoint(event), point.side.isMeeting else { continue }
      sides.insert(point.side)
      #expect(point.object != 0 && point.outcome == .passed)
    }
    #expect(sides == Set(SchedulePoint.Side.allCases.filter(\.isMeeting)))
  }

  @Test("A thread that is canceled while it waits ends")
  func cancelled() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Node {}
      _ = Node()
      nonisolated(unsafe) var semaphore = sem_t()
      sem_init(&semaphore, 0, 0)
      var thread = pthread_t()
      pthread_create(&thread, nil, { _ in
        sem_wait(&semaphore)
        print("not cancelled")
        return nil
      }, nil)
      usleep(20_000)
      pthread_cancel(thread)
      var result: UnsafeMutableRawPointer?
      pthread_join(thread, &result)
      print(Int(bitPattern: result) == -1 ? "cancelled" : "ended")
      """)
    let run = try RecordedRun(program, options: "explore=learn")
    #expect(run.behavesTheSame && run.traced.output == "cancelled\n")
  }
}
