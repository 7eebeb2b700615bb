extension Trace {
  /// Whether a thread is the one that the program began with: its kernel ID is the process ID. Threads are numbered
  /// by their first event, so that the main one need not be thread 1.
  public func isMainThread(_ number: UInt32) -> Bool { tables.threads[Int(number)]?.kernelID == recording.process }
}
