/// The facts about a process whose memory is searched.
public struct HeapMemory {
  public let source: any MemorySource
  public var threads: [StoppedThread] = []
  /// Threads that wait for work, by number: where their outermost frame resumes. Their frames and registers are
  /// ignored.
  public var idle: [Int: UInt64] = [:]
  /// Whether the asynchronous main function has returned: its frames keep nothing.
  public private(set) var hasMainReturned = false
  /// Whether the main thread has ended its functions, as in `dispatchMain()`, while the process goes on.
  public var hasMainThreadEnded = false
  /// What the recorder in the process reported about itself.
  public var recorder = RecorderMemory()
  /// Words that the kernel keeps for the process: epoll, timers and pending signals.
  public var kernelWords: [UInt64] = []
  /// Folders whose images are not the program's own.
  public var systemFolders: [String] = HeapMemory.systemFolders

  /// The stored properties of a class by its metadata, from the runtime of a process that examines itself, which also
  /// knows the parts of structs. If there is none, or it returns nil, the reflection metadata in memory is read.
  public var fields: ((UInt64) -> [HeapField]?)?

  /// The full name of the type of a stored property that cannot be copied, by the address that the reflection metadata
  /// has for it: only the program's symbols tell such types.
  public var typeName: ((UInt64) -> String?)?

  public init(_ source: any MemorySource) { self.source = source }

  /// Notes that the asynchronous main function has returned, whose last part called `exit`.
  public mutating func returnFromMain() {
    hasMainReturned = true
    recorder.stackPointer = max(recorder.stackPointer, recorder.exitFrame)
    recorder.exitRegisters = []
  }

  public static let systemFolders = ["/usr/lib/", "/lib/", "/lib64/", "/usr/lib64/", "/usr/local/lib/"]
}
