import CInjectedCode
import Glibc
import LifelineHeap
import LifelineTrace

/// A call of one library function in a running process, on a thread created there for it.
struct InjectedCall {
  /// A function called with a text; it returns nil, or a sentence.
  struct Function {
    let library: String
    let name: String
    let argument: String
  }

  private let target: TargetProcess
  private let memory: RemoteMemory
  private let library: LoadedLibrary
  private var parameters = lifeline_injected_parameters()

  /// Maximum seconds per step.
  private static let limits = (search: 10.0, thread: 10.0, call: 60.0)

  /// - Throws: `AttachError` if the process's C library lacks what is needed.
  init(_ target: TargetProcess) throws {
    self.target = target
    memory = RemoteMemory(process: target.process)
    guard let image = target.library("libc.so"), let library = LoadedLibrary(image.addresses, memory) else {
      throw AttachError("Process \(target.process) has no GNU C library with accessible symbols.")
    }
    self.library = library
    func function(_ name: String) throws -> UInt64 {
      if let address = library.function(name) { return address }
      throw AttachError("The C library of process \(target.process) has no \(name); glibc 2.34 or later is needed.")
    }
    parameters.magic = LIFELINE_INJECTED_MAGIC
    parameters.errno_location = try function("__errno_location")
    parameters.pthread_create = try function("pthread_create")
    parameters.pthread_self = try function("pthread_self")
    parameters.pthread_detach = try function("pthread_detach")
    parameters.dlopen = try function("dlopen")
    parameters.dlsym = try function("dlsym")
    parameters.dlerror = try function("dlerror")
  }

  /// The function's result.
  ///
  /// - Throws: `AttachError` if it was not called.
  mutating func call(_ function: Function) throws -> String? {
    var size = 0, entry = 0
    let bytes = lifeline_injected_code(&size, &entry)!
    let code = Array(UnsafeRawBufferPointer(start: bytes, count: size))
    let place = try room(for: size)
    parameters.area = try freeArea()
    let borrowed = try borrow(code, at: place, entry: UInt64(entry))
    defer { cleanUp(place, size, borrowed) }
    let area = parameters.area
    func address(_ field: PartialKeyPath<lifeline_injected_area>) -> UInt64 {
      area + UInt64(MemoryLayout<lifeline_injected_area>.offset(of: field)!)
    }
    func wait(_ field: KeyPath<lifeline_injected_area, UInt32>, seconds: Double) -> Bool {
      let end = MonotonicClock.seconds + seconds
      while MonotonicClock.seconds < end {
        switch memory.read(UInt32.self, at: address(field)) {
        case nil: if gone() != nil { return false }
        case 0?: break
        default: return true
        }
        usleep(500)
      }
      return false
    }
    guard wait(\.is_told, seconds: Self.limits.thread) else { throw gone() ?? late("start a thread") }
    if let error = memory.read(UInt32.self, at: address(\.error)), error != 0 {
      throw AttachError(
        "Process \(target.process) could not start a thread: \(String(cString: strerror(Int32(error)))).")
    }
    memory.write(Array(function.library.utf8) + [0], at: address(\.path))
    memory.write(Array(function.name.utf8) + [0], at: address(\.name))
    memory.write(Array(function.argument.utf8) + [0], at: area + UInt64(LIFELINE_INJECTED_ARGUMENT))
    memory.write(LIFELINE_INJECTED_GO.rawValue, at: address(\.order))
    guard wait(\.is_done, seconds: Self.limits.call) else {
      memory.write(LIFELINE_INJECTED_CANCEL.rawValue, at: address(\.order))
      throw gone() ?? late("load the probe")
    }
    let hasFailed = memory.read(UInt32.self, at: address(\.has_failed)) != 0
    let result = memory.read(UInt64.self, at: address(\.result)).flatMap { $0 == 0 ? nil : memory.text($0) }
    memory.write(1 as UInt32, at: address(\.is_read))
    if hasFailed {
      throw AttachError(
        "Process \(target.process) cannot load the probe \(function.library): \(result ?? "the reason is unknown").")
    }
    return result
  }

  private func gone() -> AttachError? { TargetProcess.end(of: target.process) }

  private func late(_ work: String) -> AttachError {
    AttachError(
      "Process \(target.process) did not \(work) in time: its threads may wait for each other, or the machine is too "
        + "busy. It keeps running; 'lifeline detach \(target.process)' stops a recording that may have started."
    )
  }

  /// Space for code after that of a library, whose last page is filled with unused zeros.
  private func room(for size: Int) throws -> UInt64 {
    let wanted = UInt64(size + 63) & ~63
    for region in target.regions where region.isExecutable && region.inode != 0 && !region.isWritable {
      let place = region.addresses.upperBound - wanted
      guard region.addresses.contains(place), let there = memory.read(place, count: Int(wanted)) else { continue }
      if there.allSatisfy({ $0 == 0 }) { return place }
      if isLeftBehind(there, at: place) { return place }
    }
    throw AttachError("Process \(target.process) has no library with space for a few hundred bytes of code.")
  }

  /// Whether code is left over from a killed `lifeline`, and no thread runs it.
  private func isLeftBehind(_ bytes: [UInt8], at place: UInt64) -> Bool {
    let left = bytes.withUnsafeBytes { $0.loadUnaligned(as: lifeline_injected_parameters.self) }
    guard left.magic == LIFELINE_INJECTED_MAGIC else { return false }
    return !target.threads.contains { isMade($0) }
      && isOutside(pid_t(truncatingIfNeeded: left.borrowed), place, bytes.count)
  }

  /// Whether a thread was created by such code.
  private func isMade(_ thread: Int) -> Bool {
    ProcessFile.lines(of: "/proc/\(target.process)/task/\(thread)/comm").first == "lifeline"
  }

  /// Whether a thread is outside of some code.
  private func isOutside(_ thread: pid_t, _ place: UInt64, _ size: Int) -> Bool {
    let text = ProcessFile.text(of: "/proc/\(target.process)/task/\(thread)/syscall")
    let code = place..<place + UInt64(size)
    if text.isEmpty { return true }
    let words = text.split(whereSeparator: { $0 == " " || $0 == "\n" })
    if words.count > 1 {
      return words.last.flatMap { UInt64($0.dropFirst(2), radix: 16) }.map { !code.contains($0) } ?? false
    }
    do {
      var stopped = try BorrowedThread(thread, of: target.process)
      defer { stopped.release() }
      return !code.contains(stopped.registers.rip)
    } catch {
      return error == .isGone
    }
  }

  /// Removes the code once no thread runs it; if that is not certain, the code stays.
  private func cleanUp(_ place: UInt64, _ size: Int, _ borrowed: pid_t) {
    let end = MonotonicClock.seconds + 3
    while MonotonicClock.seconds < end {
      if !target.threads.contains(where: isMade), isOutside(borrowed, place, size) {
        _ = memory.overwrite([UInt8](repeating: 0, count: size), at: place)
        return
      }
      usleep(500)
    }
  }

  /// Redirects a thread to the code; returns its number.
  private mutating func borrow(_ code: [UInt8], at place: UInt64, entry: UInt64) throws -> pid_t {
    guard let frames = FrameReader(target.process) else { throw TargetProcess.refused(target.process) }
    let safe = SafePlace(target.images, library: library, memory: memory)
    let end = MonotonicClock.seconds + Self.limits.search
    while MonotonicClock.seconds < end {
      let ranked = target.threads.compactMap { thread in SafePlace.rank(thread, of: target.process).map { (thread, $0) }
      }
      for (thread, _) in ranked.sorted(by: { $0.1 < $1.1 }) {
        do {
          if try borrow(pid_t(thread), code, place, entry, frames, safe) { return pid_t(thread) }
        } catch BorrowedThread.Refusal.isForbidden {
          throw TargetProcess.refused(target.process)
        } catch BorrowedThread.Refusal.isStopped {
          throw AttachError(
            "Process \(target.process) is stopped; continue it with 'kill -CONT \(target.process)' first.")
        } catch is BorrowedThread.Refusal {}
      }
      if let error = gone() { throw error }
      usleep(1000)
    }
    throw AttachError(
      "No thread of process \(target.process) reached a point where it can be borrowed; "
        + "try again when it is less busy."
    )
  }

  private mutating func borrow(
    _ thread: pid_t, _ code: [UInt8], _ place: UInt64, _ entry: UInt64, _ frames: FrameReader, _ safe: SafePlace
  ) throws -> Bool {
    var stopped = try BorrowedThread(thread, of: target.process)
    guard let stack = stack(stopped.registers.rsp), safe.holds(stopped, frames.frames(of: thread), stack) else {
      stopped.release()
      return false
    }
    parameters.resume = UInt64(stopped.registers.rip)
    parameters.borrowed = UInt64(thread)
    let head = withUnsafeBytes(of: parameters) { Array($0) }
    guard memory.overwrite(head + code.dropFirst(head.count), at: place) else {
      stopped.release()
      throw AttachError("The kernel does not permit writing to the memory of process \(target.process).")
    }
    return stopped.send(to: place + entry)
  }

  /// The used part of a stack; nil if there is too little space left for what a C library needs to create a thread, and
  /// for our own registers.
  private func stack(_ stackPointer: UInt64) -> Range<UInt64>? {
    guard
      let region = ProcessMaps.regions(of: Int(target.process)).first(where: { $0.addresses.contains(stackPointer) }),
      region.path == "[stack]" || stackPointer - region.addresses.lowerBound >= 64 << 10
    else { return nil }
    return stackPointer..<region.addresses.upperBound
  }

  /// An address far from everything else.
  private func freeArea() throws -> UInt64 {
    let size = UInt64(LIFELINE_INJECTED_AREA_SIZE)
    var best: Range<UInt64> = 0..<0
    for (before, after) in zip(target.regions, target.regions.dropFirst()) {
      let (start, end) = (before.addresses.upperBound, after.addresses.lowerBound)
      // Above 2^47 is the kernel's page.
      if end < 1 << 47, end > start, end - start > best.upperBound - best.lowerBound { best = start..<end }
    }
    guard best.upperBound - best.lowerBound > 1 << 20 else {
      throw AttachError("Process \(target.process) has no free addresses left.")
    }
    return (best.lowerBound + (best.upperBound - best.lowerBound) / 2) & ~(size - 1)
  }
}
