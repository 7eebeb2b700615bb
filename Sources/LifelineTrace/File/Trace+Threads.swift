extension Trace {
  /// Whether a thread is the program's first one: its kernel ID is the process ID. Threads are numbered by their first
  /// event, so the main thread need not be thread 1.
  /// Label of the serial dispatch queue whose code ran at an event; nil if there was none, or if it is not known.
  public func queueLabel(of event: Event) -> String? { event.queue == 0 ? nil : tables.strings[Int(event.queue)] }

  public func isMainThread(_ number: UInt32) -> Bool { tables.threads[Int(number)]?.kernelID == recording.process }
}
