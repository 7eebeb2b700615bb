import CLifelineFormat

extension Trace {
  /// Label of a serial dispatch queue by the number that events have; nil for 0, and if it is not known.
  public func queueLabel(_ queue: UInt32) -> String? { queue == 0 ? nil : tables.strings[Int(queue)] }

  /// Whether that is the main queue, which the main actor uses. Once an asynchronous main function has waited, any
  /// thread may run its code.
  public func isMainQueue(_ queue: UInt32) -> Bool { queueLabel(queue) == LIFELINE_MAIN_QUEUE }

  /// Whether a thread is the program's first one: its kernel ID is the process ID. Threads are numbered by their first
  /// event, so the main thread need not be thread 1.
  public func isMainThread(_ number: UInt32) -> Bool { tables.threads[Int(number)]?.kernelID == recording.process }
}
