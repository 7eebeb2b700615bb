import Foundation
import Lifeline

/// Ends the recording that `Main` started, and starts another one.
enum Restarts {
  /// Refers to what may be gone.
  private final class Viewer {
    unowned var target: Target
    init(_ target: Target) { self.target = target }
  }

  static func run(output: String) throws {
    let screen = Screen()
    let kept = Target("kept")
    let viewer: Viewer
    do {
      let lost = Target("first")
      screen.unsafely = lost
      viewer = Viewer(lost)
    }
    print("first:", screen.$unsafely.isLost)
    try Timeline.stop()
    try Timeline.stop()
    print("stopped:", Timeline.isRecording, screen.$unsafely.isLost)
    // The last reference to the freed object that the first recording made a zombie.
    viewer.target = kept
    do {
      let unseen = Target("unseen")
      screen.unsafely = unseen
    }
    try start(output)
    print("second:", Timeline.isRecording, screen.$unsafely.isLost, Timeline.tracePath?.hasSuffix(".\(getpid())") ?? false)
    do {
      let lost = Target("second")
      screen.unsafely = lost
    }
    print("second:", screen.$unsafely.isLost, screen.$unsafely.send { _ in 1 } ?? 0)
    print(viewer.target.greet())
  }

  /// The file size limit stops the first recording; once it is ended, another one can start.
  static func runAfterLimit(output: String) throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    let before = limit.rlim_cur
    limit.rlim_cur = 1 << 20
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    var kept: [Target] = []
    for number in 0..<200_000 { kept.append(Target("target \(number)")) }
    limit.rlim_cur = before
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    do {
      try start(output)
      print("started")
    } catch {
      print(error)
    }
    try Timeline.stop()
    try start(output)
    print(Timeline.isRecording, kept.count)
  }

  /// Starts and ends recordings while threads constantly allocate, retain, release and free.
  static func runBusy(output: String) throws {
    let work = BusyStart.Work(threads: 8)
    for _ in 1...10 {
      try start(output)
      usleep(5_000)
      try Timeline.stop()
    }
    work.end()
    print("done")
  }

  private static func start(_ output: String) throws {
    var options = Timeline.Options()
    options.output = output
    options.isQuiet = true
    try Timeline.start(options)
  }
}
