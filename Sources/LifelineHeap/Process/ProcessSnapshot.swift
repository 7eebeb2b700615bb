/// Copies a process's memory while it is stopped, and builds its heap graph once it continues.
public enum ProcessSnapshot {
  /// Stops the process, copies its memory, and lets it continue. The shorter this takes, the less the process is
  /// disturbed.
  ///
  /// - Parameters:
  ///   - recorder: Finds the recorder's memory, while the process is stopped.
  ///   - idle: Finds threads that wait for work, while they are stopped: the resume addresses of their outermost frames
  ///     (`HeapMemory.idle`).
  /// - Throws: `HeapError` if it may not be examined.
  public static func memory(
    of process: Int, recorder: (Int) -> RecorderMemory = { _ in RecorderMemory() },
    idle: (Int, [StoppedThread]) -> [Int: UInt64] = { _, _ in [:] }
  ) throws -> HeapMemory {
    try memory(of: process, recorder: recorder, room: nil, idle: idle)
  }

  private static func memory(
    of process: Int, recorder: (Int) -> RecorderMemory, room: CopyRoom?,
    idle: (Int, [StoppedThread]) -> [Int: UInt64]
  ) throws -> HeapMemory {
    var stop = try ProcessStop(process)
    defer { stop.letGo() }
    let threads = stop.threads()
    let idle = idle(stop.living, threads)
    let recorder = recorder(stop.living)
    let copy = try ProcessCopy(process: stop.living, leavingOut: recorder.unread, into: room)
    var memory = HeapMemory(copy)
    memory.threads = threads
    memory.hasMainThreadEnded = threads.first { $0.id == process }?.isParkedByDispatch ?? true
    memory.idle = idle
    memory.recorder = recorder
    memory.kernelWords = KernelWords.words(of: stop.living) + stop.signalWords()
    return memory
  }

  /// The graph of the heap of a process that works while memory for its copy is provided, or why there is none.
  ///
  /// `complete` adds what files tell about the process, which has continued by then.
  public static func take(
    of process: Int, recorder: (Int) -> RecorderMemory = { _ in RecorderMemory() },
    idle: (Int, [StoppedThread]) -> [Int: UInt64] = { _, _ in [:] }, complete: (inout HeapMemory) -> Void = { _ in }
  ) -> HeapSnapshot {
    do {
      let room = CopyRoom(for: process)
      var memory = try memory(of: process, recorder: recorder, room: room, idle: idle)
      complete(&memory)
      return HeapSnapshot(process: process, memory: memory)
    } catch {
      return HeapSnapshot(process: process, refusal: "\(error)")
    }
  }
}
