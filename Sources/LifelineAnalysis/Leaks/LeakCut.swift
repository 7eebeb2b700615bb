import LifelineHeap

/// What frees everything that a cycle keeps: removing references, or ending a task; verified on the graph.
public struct LeakCut: Sendable, Equatable {
  public enum Change: Sendable, Hashable {
    /// A closure captures weakly what it captured strongly; the address is its function's.
    case captureWeakly(className: String, function: UInt64?)
    /// The property is made weak or unowned.
    case makeWeak(className: String, property: String)
    /// The reference inside the property's value, a struct for example, is made weak or unowned, or cleared. An
    /// existential's is the value itself if its protocol is only for classes, as it must be for that.
    case weakenInside(className: String, property: String, isExistential: Bool)
    /// The property is set to nil, or emptied, when the work is done.
    case clear(className: String, property: String, HeapField.Clearing)
    /// The same for a constant, which must become a variable first.
    case clearConstant(className: String, property: String, HeapField.Clearing)
    /// The variable that a closure captured is set to nil when the work is done; the address is the closure's function.
    case clearVariable(function: UInt64?)
    /// An NSCache, whose entries keep each other, is emptied when it is no longer needed.
    case emptyCache(className: String)
    /// The continuation that a task waits for is resumed, so that it ends.
    case resume
    /// The stream whose next element a task waits for is finished, so that the task ends.
    case finishStream
    /// The task, which waits for the next change of what it observes, is canceled.
    case cancel
    /// Channels of SwiftNIO, of some classes, are closed. Handlers of some classes must then give up their context.
    case close([String], handlers: [String])
    /// A handler's property is set to nil when it is removed from the pipeline of its channel.
    case giveUpContext(className: String, property: String)
    /// What is scheduled on a test's event loop of SwiftNIO is run, or canceled.
    case runTasks(className: String)
    /// A promise of SwiftNIO is completed, that of a future of some class, and those of `count` − 1 others.
    case complete(className: String, count: Int)
    /// The executor that has a task's job runs it, so that the task ends.
    case runJob
    /// The tasks that wait, some perhaps for each other, end.
    case endTasks([HeapTask])

    /// The property whose reference is made weak.
    var weakenedProperty: (className: String, property: String)? {
      switch self {
      case .makeWeak(let className, let property), .weakenInside(let className, let property, _): (className, property)
      default: nil
      }
    }

    /// The property that changes.
    var property: (className: String, property: String)? {
      switch self {
      case .clear(let className, let property, _), .clearConstant(let className, let property, _),
        .giveUpContext(let className, let property):
        (className, property)
      default: weakenedProperty
      }
    }

    /// Whether a reference becomes weak and stays.
    var weakens: Bool {
      if case .captureWeakly = self { return true }
      return weakenedProperty != nil
    }

    /// The class whose object is no longer captured, or whose property changes.
    var className: String? {
      switch self {
      case .captureWeakly(let className, _), .makeWeak(let className, _), .weakenInside(let className, _, _),
        .clear(let className, _, _), .clearConstant(let className, _, _), .giveUpContext(let className, _):
        className
      case .clearVariable, .emptyCache, .close, .complete, .runTasks, .resume, .finishStream, .cancel, .runJob,
        .endTasks:
        nil
      }
    }
  }

  /// Which of the objects that a closure's context refers to, in the order of their places, a change is about.
  public struct Captured: Sendable, Hashable {
    public let index: Int
    public let count: Int
  }

  /// One change, or several that are needed together.
  public let changes: [Change]
  /// The captures among them of which no closure holds more than one reference to objects of the class.
  public let single: Set<Change>
  /// The captures among them that are enough if only one variable changes.
  public let captured: [Change: Captured]
  /// The program's own objects that it frees, by class.
  public let freed: [Leak.ClassCount]
  /// All memory that it frees.
  public let bytes: Int
  /// Whether everything is freed. Otherwise library objects remain that keep themselves alive.
  public let isWhole: Bool
  /// The class of a freed object whose deinit may free what remains: objects of a package that keep each other. If a
  /// channel is closed, that of a handler which may do so when it is removed. Nil if nothing depends on either.
  public let breaker: String?
  /// The classes of objects that it may end too early: only properties that it makes weak refer to them in the end, and
  /// the recording does not show whether something else owned them while they were needed.
  public internal(set) var perhapsLost: [String] = []
  /// Whether other leaks, which it does not prevent, hold some of what it frees.
  public internal(set) var isShared = false

  init(
    changes: [Change], single: Set<Change> = [], captured: [Change: Captured] = [:], freed: [Leak.ClassCount],
    bytes: Int, isWhole: Bool, breaker: String? = nil
  ) {
    self.changes = changes
    self.single = single
    self.captured = captured
    self.freed = freed
    self.bytes = bytes
    self.isWhole = isWhole
    self.breaker = breaker
  }

  /// Whether a channel is closed.
  public var closes: Bool { changes.contains { if case .close = $0 { true } else { false } } }

  /// Whether a promise is completed.
  var completes: Bool { changes.contains { if case .complete = $0 { true } else { false } } }

  /// Whether it frees something only when tasks end after it, which is not certain.
  public var endsTasks: Bool {
    changes.contains { change in
      switch change {
      case .resume, .finishStream, .cancel, .runJob, .endTasks: true
      case .captureWeakly, .makeWeak, .weakenInside, .clear, .clearConstant, .clearVariable, .emptyCache, .close,
        .complete, .runTasks, .giveUpContext:
        false
      }
    }
  }

  public var objectCount: Int { freed.reduce(0) { $0 + $1.count } }
}
