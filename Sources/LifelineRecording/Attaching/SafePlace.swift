import Glibc
import LifelineHeap

/// Decides whether a thread may be borrowed to create another thread: it must not be inside the C library's or the
/// program's allocator or the dynamic linker, where it may hold locks and have unfinished work.
///
/// None of these calls the program, but a signal may interrupt them, and its handler is the program's. So the frames
/// are followed to the outermost; where that is not possible, the stack must not contain the return address of a
/// handler.
struct SafePlace {
  /// Functions of the C library in which a thread may wait, as called by the program.
  private static let restful: Set<String> = [
    "epoll_wait", "epoll_pwait", "poll", "__poll", "ppoll", "select", "__select", "pselect", "nanosleep", "__nanosleep",
    "clock_nanosleep", "sleep", "usleep", "thrd_sleep", "pause", "sigsuspend", "sigwait", "sigwaitinfo", "sigtimedwait",
    "accept", "accept4", "recv", "recvfrom", "recvmsg", "read", "__read", "readv", "fgetc", "getc", "getchar", "fgets",
    "getline", "__getline", "getdelim", "__getdelim", "fread", "pthread_cond_wait", "pthread_cond_timedwait",
    "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait", "sem_wait", "sem_timedwait", "sem_clockwait",
    "pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_join", "pthread_timedjoin_np",
    "pthread_barrier_wait", "wait", "__wait", "waitpid", "__waitpid", "wait3", "wait4", "waitid", "syscall", "flock",
    "lockf",
    "eventfd_read", "msgrcv", "semop", "semtimedop",
  ]
  /// Functions of the C library that call the program: thread starts, and functions that run something once.
  private static let callers: Set<String> = ["pthread_once", "call_once", "__libc_start_main"]

  /// System calls in which a thread waits, least disturbed first. The last ones wait for a signal: one that arrives at
  /// that moment is handled, but does not end the call.
  private static let restingCalls: [Set<Int>] = [
    [202, 7, 23, 35, 230, 0, 19, 43, 288, 45, 47, 61, 247, 73], [232], [271, 270, 281, 441], [34, 130, 128],
  ]

  /// How suitable a thread is given what it does, best first; nil if it is in a call that must not be disturbed.
  static func rank(_ thread: Int, of process: pid_t) -> Int? {
    let text = ProcessFile.text(of: "/proc/\(process)/task/\(thread)/syscall")
    guard let word = text.split(separator: " ").first, let number = Int(word) else { return 2 }
    if number < 0 { return nil }
    guard let rank = restingCalls.firstIndex(where: { $0.contains(number) }) else { return nil }
    return rank < 2 ? rank : rank + 1
  }

  private let library: Range<UInt64>
  private let linker: [Range<UInt64>]
  private let functions: [(addresses: Range<UInt64>, name: String)]
  /// Images with their own allocator.
  private let allocators: [Range<UInt64>]
  private let images: [ProcessImage]
  private let memory: RemoteMemory
  /// The return address of signal handlers; nil if it was not found.
  private let handlerReturn: UInt64?

  init(_ images: [ProcessImage], library: LoadedLibrary, memory: RemoteMemory) {
    self.images = images
    self.memory = memory
    handlerReturn = library.place(of: [0x48, 0xC7, 0xC0, 0x0F, 0, 0, 0, 0x0F, 0x05])  // mov $15, %rax; syscall
    self.library = library.addresses
    functions = library.functions().sorted { $0.addresses.lowerBound < $1.addresses.lowerBound }
    linker = images.filter { $0.path.split(separator: "/").last?.hasPrefix("ld-") == true }.map(\.addresses)
    allocators = images.filter {
      $0.addresses != library.addresses && LoadedLibrary($0.addresses, memory)?.function("malloc") != nil
    }.map(\.addresses)
  }

  /// Whether a stopped thread may be borrowed at its current place.
  func holds(_ thread: BorrowedThread, _ known: (frames: [FrameReader.Frame], areAll: Bool), _ stack: Range<UInt64>)
    -> Bool
  {
    let places = known.frames.map(\.place)
    guard places.allSatisfy(isCode), known.areAll || !mayHoldHandler(stack) else { return false }
    let isInLibrary = places.map(library.contains)
    let leaf = isInLibrary.prefix { $0 }.count
    if leaf > 0 {
      guard thread.systemCall != nil, let name = name(places[leaf - 1]), Self.restful.contains(name) else {
        return false
      }
    }
    var index = leaf
    while index < places.count {
      if isInLibrary[index] {
        let last = isInLibrary[index...].firstIndex(of: false).map { $0 - 1 }
        // The outermost frames are thread starts. Others were called by the next outer frame.
        guard let last else { return known.areAll }
        guard name(places[last]).map(Self.callers.contains) == true else { return false }
        index = last
      } else if linker.contains(where: { $0.contains(places[index]) }) {
        return false
      } else if allocators.contains(where: { $0.contains(places[index]) }), leaf == 0 || thread.systemCall == 202 {
        // The program's own allocator may be working there, or wait for one of its locks.
        return false
      }
      index += 1
    }
    return leaf < places.count
  }

  private func mayHoldHandler(_ stack: Range<UInt64>) -> Bool {
    guard let handlerReturn,
      let words = memory.read(stack.lowerBound & ~7, count: Int((stack.upperBound - stack.lowerBound) & ~7))
    else { return true }
    return words.withUnsafeBytes { $0.bindMemory(to: UInt64.self).contains(handlerReturn) }
  }

  private func isCode(_ address: UInt64) -> Bool { images.contains { $0.addresses.contains(address) } }

  private func name(_ address: UInt64) -> String? {
    functions.first { $0.addresses.contains(address) }?.name
  }
}
