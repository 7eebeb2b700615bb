extension Trace {
  /// Whether a thread is the program's first one: its kernel ID is the process ID. Threads are numbered by their first
  /// event, so the main thread need not be thread 1.
  public func isMainThread(_ number: UInt32) -> Bool { tables.threads[Int(number)]?.kernelID == recording.process }
}
