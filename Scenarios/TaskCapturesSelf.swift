// A task that waits for values forever captures the object that started it.
//
// A classic of Swift concurrency: `Task { for await value in values { self.show(value) } }` holds
// self as long as the stream lasts. An object that cancels the task in its deinit never gets there.
//
// Found: nothing, but the feed is live at exit. Remedies: a weak capture inside the loop, or cancelling when the screen disappears.
import LifelineScenarios

enum TaskCapturesSelf {
  class Feed: @unchecked Sendable {
    private var task: Task<Void, Never>?
    private let shown: Gate
    private let gone: Gate

    init(shown: Gate, gone: Gate) {
      self.shown = shown
      self.gone = gone
    }

    func show(_ value: Int) { shown.open() }

    @inline(never) func follow(_ values: AsyncStream<Int>) {
      task = Task { for await value in values { self.show(value) } }
    }

    func followWeakly(_ values: AsyncStream<Int>) {
      task = Task { [weak self] in for await value in values { self?.show(value) } }
    }

    /// Gives the task to whoever cancels it.
    func takeTask() -> Task<Void, Never>? { task }

    deinit {
      task?.cancel()
      gone.open()
    }
  }

  /// The stream that never ends.
  nonisolated(unsafe) static var source: AsyncStream<Int>.Continuation?

  @inline(never) private static func open(_ shown: Gate, _ gone: Gate, _ values: AsyncStream<Int>, _ body: (Feed, AsyncStream<Int>) -> Void)
    -> Task<Void, Never>?
  {
    var feed: Feed? = Feed(shown: shown, gone: gone)
    body(feed!, values)
    shown.wait()
    let task = feed?.takeTask()
    letGo(of: &feed)
    return task
  }

  static func play(goes: Bool, disappears: Bool = false, _ body: (Feed, AsyncStream<Int>) -> Void) {
    let shown = Gate(), gone = Gate()
    let (values, source) = AsyncStream.makeStream(of: Int.self)
    self.source = source
    source.yield(1)
    let task = open(shown, gone, values, body)
    if disappears { task?.cancel() }
    if goes { gone.waitForDeaths() } else { settle() }
    tell(goes ? "the feed is gone" : "the feed still waits for values")
  }

  static let scenario = Scenario(
    "TaskCapturesSelf", "A task that never ends captures the object that started it", from: "classic",
    variants: [
      Variant("buggy", "The task holds the feed as long as the stream lasts.", expect: [.live("Feed", count: 1)]) {
        play(goes: false) { $0.follow($1) }
      },
      Variant("weak", "The task captures weakly; the feed's deinit cancels it.", expect: [.live("Feed", count: 0)]) {
        play(goes: true) { $0.followWeakly($1) }
      },
      Variant(
        "cancelled", "The task is cancelled when the feed disappears; it releases the feed last, on its own thread.",
        expect: [.found("late-deallocation", "Feed#1", severity: "warning", holder: "a Swift task"), .live("Feed", count: 0)]
      ) {
        play(goes: true, disappears: true) { $0.follow($1) }
      },
    ])
}
