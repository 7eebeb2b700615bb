import LifelineTestSupport

@testable import LifelineReporting

/// The first scenario as a report with every part: a post holds the sender, whose delegate is freed.
enum StoryReport {
  static let source = BuiltPackage.root.appendingPathComponent("Examples/DelayedDeallocation.swift").path

  static func frame(
    _ function: String, _ line: Int?, image: String = "program", isSystem: Bool = false, isInlined: Bool = false
  ) -> Report.Frame {
    Report.Frame(
      function: function, mangledName: nil, file: isSystem ? nil : source, line: line, column: line.map { _ in 3 },
      image: image,
      offset: 0x1234, isInlined: isInlined, isSystem: isSystem)
  }

  private static let post = [
    frame("closure #1 in FetchedResultsController.init(delegate:)", 23),
    frame(
      "thunk for @escaping @callee_guaranteed (@guaranteed Notification) -> ()", nil, image: "libFoundation.so",
      isSystem: true),
    frame("NotificationCenter._post(_:subject:message:)", nil, image: "libFoundationEssentials.so", isSystem: true),
    frame("NotificationCenter.post(name:object:userInfo:)", nil, image: "libFoundation.so", isSystem: true),
    frame("main", 61),
    frame("__libc_start_main", nil, image: "libc.so.6", isSystem: true),
  ]
  private static let changed = "FetchedResultsController.contextChanged(_:)"

  static func backtrace(_ role: String, _ event: UInt64, _ frames: [Report.Frame]) -> Report.Backtrace {
    Report.Backtrace(role: role, thread: "main thread", event: event, frames: frames, extent: "complete")
  }

  static func event(
    _ number: UInt64, _ kind: String, _ change: Int, _ count: Int?, _ function: String, _ line: Int,
    isFinal: Bool = false
  ) -> Report.ObjectTimeline.Event {
    Report.ObjectTimeline.Event(
      event: number, time: number * 710 + (number > 14 ? 4000 : 0), kind: kind, change: change, count: count,
      thread: "main thread",
      function: function, location: "DelayedDeallocation.swift:\(line)", isAfterGap: false, isFinalRelease: isFinal)
  }

  static func hold(
    _ holder: String, _ from: UInt64, _ to: UInt64, rule: String = "", _ function: String, _ line: Int,
    isOpen: Bool = false
  ) -> Report.Hold {
    Report.Hold(
      holder: holder, rule: rule, isTransient: !rule.isEmpty, fromEvent: from, toEvent: to, duration: (to - from) * 710,
      fromTime: from * 710, isOpen: isOpen, confidence: "likely", pairing: isOpen ? "open" : "likely",
      thread: "main thread", function: function,
      location: "DelayedDeallocation.swift:\(line)", endFunction: isOpen ? nil : function,
      endLocation: isOpen ? nil : "DelayedDeallocation.swift:\(line)")
  }

  static let detail = Report.Object(id: "DetailViewController#1", class: "DelayedDeallocation.DetailViewController")
  static let controller = Report.Object(
    id: "FetchedResultsController#1", class: "DelayedDeallocation.FetchedResultsController")

  static let detailLife = Report.ObjectTimeline(
    object: detail, role: "subject",
    events: [
      event(2, "allocate", 1, 1, "DetailViewController.__allocating_init()", 42),
      event(3, "retain", 1, 2, "DetailViewController.init()", 43),
      event(4, "retain", 1, 3, "DetailViewController.init()", 44),
      event(6, "retain", 1, 4, "FetchedResultsController.init(delegate:)", 21),
      event(7, "release", -1, 3, "FetchedResultsController.init(delegate:)", 21),
      event(13, "release", -1, 2, "FetchedResultsController.init(delegate:)", 25),
      event(14, "release", -1, 1, "DetailViewController.init()", 45),
      event(17, "weakInit", 0, nil, "MasterViewController.openDetail()", 55),
      event(18, "unownedRetain", 0, nil, "MasterViewController.openDetail()", 55),
      event(30, "release", -1, 0, "MasterViewController.closeDetail()", 56, isFinal: true),
      event(34, "deallocate", 0, nil, "DetailViewController.__deallocating_deinit", 47),
      event(35, "free", 0, nil, "DetailViewController.__deallocating_deinit", 47),
      event(37, "useAfterFree", 0, nil, changed, 34), event(38, "useAfterFree", 0, nil, changed, 34),
      event(39, "useAfterFree", 0, nil, changed, 35),
    ],
    holds: [
      hold("MasterViewController#1.detail", 2, 30, "DetailViewController.__allocating_init()", 42),
      hold("DetailViewController.init()", 3, 14, "DetailViewController.init()", 43),
      hold("FetchedResultsController.init(delegate:)", 4, 13, "DetailViewController.init()", 44),
      hold("FetchedResultsController.init(delegate:)", 6, 7, "FetchedResultsController.init(delegate:)", 21),
    ], omittedEvents: 0)

  static let controllerLife = Report.ObjectTimeline(
    object: controller, role: "sender",
    events: [
      event(5, "allocate", 1, 1, "FetchedResultsController.__allocating_init(delegate:)", 20),
      event(8, "retain", 1, 2, "FetchedResultsController.init(delegate:)", 22),
      event(9, "retain", 1, 3, "FetchedResultsController.init(delegate:)", 22),
      event(10, "retain", 1, 4, "closure #2 in NotificationCenter._addObserver(_:object:using:)", 22),
      event(11, "release", -1, 3, "FetchedResultsController.init(delegate:)", 22),
      event(12, "release", -1, 2, "FetchedResultsController.init(delegate:)", 22),
      event(20, "retain", 1, 3, "NotificationCenter._post(_:subject:message:)", 61),
      event(32, "release", -1, 2, "FetchedResultsController.stopObserving()", 28),
      event(33, "release", -1, 1, "DetailViewController.__deallocating_deinit", 47),
      event(41, "release", -1, 0, "NotificationCenter._post(_:subject:message:)", 61, isFinal: true),
      event(42, "deallocate", 0, nil, "FetchedResultsController.__deallocating_deinit", 16),
      event(43, "free", 0, nil, "FetchedResultsController.__deallocating_deinit", 16),
    ],
    holds: [
      hold("DetailViewController#1.controller", 5, 33, "FetchedResultsController.__allocating_init(delegate:)", 20),
      hold("FetchedResultsController.init(delegate:)", 8, 12, "FetchedResultsController.init(delegate:)", 22),
      hold("NotificationCenter's observers", 10, 32, "NotificationCenter._addObserver(_:object:using:)", 22),
      hold(
        "NotificationCenter.post(name:object:)", 20, 41, rule: "notification-post",
        "NotificationCenter._post(_:subject:message:)", 61),
    ], omittedEvents: 0)

  static let finding = Report.Finding(
    kind: "use-after-free", severity: "error", fingerprint: "3f2a9c0d11e4b765",
    title: "DetailViewController#1 was messaged 2.8 µs (4 events) after it was freed",
    explanation: [
      """
      FetchedResultsController.contextChanged(_:) sent it DetailViewController.controllerWillChangeContent() \
      (event 38, main thread, DelayedDeallocation.swift:34) through FetchedResultsController#1.delegate, \
      an unowned(unsafe) reference.
      """,
      """
      Its last strong reference was released by MasterViewController.closeDetail() (event 30, main thread, \
      DelayedDeallocation.swift:56).
      """,
      """
      FetchedResultsController#1's last owner, DetailViewController#1.controller, released it at event 33, \
      but NotificationCenter.post(name:object:) had held it since event 20 and kept it until event 41.
      """,
    ],
    object: detail, access: "message",
    backtraces: [
      backtrace("access", 38, [frame(changed, 34)] + post),
      backtrace(
        "deallocation", 34,
        [
          frame("DetailViewController.__deallocating_deinit", 47),
          frame("_swift_release_dealloc", nil, image: "libswiftCore.so", isSystem: true),
          frame("MasterViewController.closeDetail()", 56), frame(changed, 33),
        ] + post),
      backtrace(
        "last-owner-release", 30,
        [frame("MasterViewController.closeDetail()", 56), frame(changed, 33, isInlined: true)] + post),
      backtrace("hold", 20, Array(post.dropFirst())),
    ],
    holds: [
      hold(
        "NotificationCenter.post(name:object:)", 20, 41, rule: "notification-post",
        "NotificationCenter._post(_:subject:message:)", 61)
    ],
    path: [],
    suggestion:
      "Make the reference weak, clear it in DetailViewController's deinit, or hold the object strongly for "
      + "as long as it is used."
  )

  static let late = Report.Finding(
    kind: "late-deallocation", severity: "note", fingerprint: "91bb04e2ac77d010",
    title: "FetchedResultsController#1 was deallocated late",
    explanation: [
      "Its last owner released it at event 33; NotificationCenter.post(name:object:) kept it until event 41."
    ], object: controller,
    access: nil,
    backtraces: [
      backtrace("last-owner-release", 33, [frame("DetailViewController.deinit", 47)]),
      backtrace("final-release", 41, post),
    ],
    holds: [], path: [], suggestion: nil, outcome: Report.Outcome(state: "known", reason: "It is in the baseline."))

  static let report = Report(
    program: Report.Program(
      path: "/work/app/program", arguments: ["program", "--fast", "a b"], processID: 4711, exitStatus: 0, signal: nil),
    recording: Report.Recording(
      toolchain: "/opt/swift/usr/lib/swift/linux/libswiftCore.so", method: "entry detours in libswiftCore.so",
      events: ["retain": 21, "release": 19, "allocate": 3, "free": 2, "useAfterFree": 3], lostEvents: 0,
      unseen: ["swift_unknownEntry": 1], duration: 34_200, threads: 1,
      remarks: ["1 image has no debug information: libz.so.1."]),
    verdict: "findings", noVerdictReason: nil,
    classes: [
      Report.Class(
        name: "DelayedDeallocation.DetailViewController", allocated: 1, liveAtExit: 0, peakLive: 1, instanceSize: 32,
        retains: 3,
        releases: 4, countGaps: 0, liveOverTime: [0, 1, 1, 1, 1, 1, 1, 0, 0]),
      Report.Class(
        name: "DelayedDeallocation.Row", allocated: 1_204_331, liveAtExit: 317, peakLive: 5120, instanceSize: 24,
        retains: 99_000,
        releases: 98_683, countGaps: 2, liveOverTime: (0..<64).map { ($0 * 73) % 101 + $0 * 4 }),
      Report.Class(
        name: "DelayedDeallocation.MasterViewController", allocated: 1, liveAtExit: 1, peakLive: 1, instanceSize: 24,
        retains: 10,
        releases: 10, countGaps: 0, liveOverTime: [1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ],
    findings: [finding, late],
    liveAtExit: [
      Report.Live(
        class: "DelayedDeallocation.Row", count: 317, bytes: 7608, first: "Row#12",
        backtrace: backtrace("allocation", 9, [frame("Row.__allocating_init()", 12), frame("main", 61)])),
      Report.Live(
        class: "DelayedDeallocation.MasterViewController", count: 1, bytes: 24, first: "MasterViewController#1",
        backtrace: backtrace(
          "allocation", 1, [frame("MasterViewController.__allocating_init()", nil), frame("main", 59)])),
    ],
    lives: [
      Report.ObjectSummary(
        id: "DetailViewController#1", class: "DelayedDeallocation.DetailViewController", bytes: 32, allocatedEvent: 2,
        allocatedTime: 1000,
        thread: "main thread", function: "MasterViewController.openDetail()", location: "DelayedDeallocation.swift:55",
        endEvent: 35,
        verdict: "too early"),
      Report.ObjectSummary(
        id: "FetchedResultsController#1", class: "DelayedDeallocation.FetchedResultsController", bytes: 40,
        allocatedEvent: 5,
        allocatedTime: 2000, thread: "main thread", function: "DetailViewController.init()", location: nil,
        endEvent: 43, verdict: "late"),
      Report.ObjectSummary(
        id: "Row#12", class: "DelayedDeallocation.Row", bytes: 24, allocatedEvent: 9, allocatedTime: 3000,
        thread: "thread 2 (loader)",
        function: "main", location: "DelayedDeallocation.swift:61", endEvent: nil, verdict: "never"),
    ],
    timelines: [detailLife, controllerLife],
    gate: Report.Gate(
      failOn: ["errors"],
      contracts: [
        Report.Contract(
          text: "DelayedDeallocation.Row: max-live 100", result: "broken", sentence: "5,120 were live at once."),
        Report.Contract(
          text: "DelayedDeallocation.MasterViewController: max-live 1", result: "kept",
          sentence: "1 was live at once."),
      ],
      fixed: ["00ff00ff00ff00ff leak DelayedDeallocation.Row"], unusedSuppressions: ["leak:OldClass"], hasBaseline: true
    ))
}
