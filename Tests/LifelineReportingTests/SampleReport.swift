@testable import LifelineReporting

/// Handmade reports, in which a test controls every string.
enum SampleReport {
  static func frame(
    _ function: String, _ file: String? = nil, _ line: Int? = nil, column: Int? = nil, image: String = "App",
    isSystem: Bool = false
  ) -> Report.Frame {
    Report.Frame(
      function: function, mangledName: nil, file: file, line: line, column: column, image: image, offset: 0x1234,
      isInlined: false, isSystem: isSystem)
  }

  static func backtrace(_ role: String, event: UInt64, thread: String = "main thread", _ frames: [Report.Frame])
    -> Report.Backtrace
  {
    Report.Backtrace(role: role, thread: thread, event: event, frames: frames, extent: "complete")
  }

  /// The classic bug: a message to an object after its last owner released it on another thread.
  static func finding(_ text: String = "DetailViewController") -> Report.Finding {
    Report.Finding(
      kind: "use-after-free", severity: "error", fingerprint: "00c0ffee00c0ffee",
      title: "\(text)#1 was messaged 41 µs (3 events) after it was freed",
      explanation: [
        "Controller.contextChanged(_:) sent it \(text).willChange() (event 9, main thread, Detail.swift:34).",
        "Its last strong reference was released by \(text).close() (event 6, worker, Detail.swift:56).",
      ],
      object: Report.Object(id: "\(text)#1", class: "App.\(text)"), access: "message",
      backtraces: [
        backtrace(
          "access", event: 9,
          [
            frame("swift_retain", image: "libswiftCore.so", isSystem: true),
            frame("Controller.contextChanged(_:)", "/src/app/Sources/Detail.swift", 34, column: 5),
            frame("main", "/src/app/Sources/main.swift", 3),
          ]),
        backtrace(
          "final-release", event: 6, thread: "worker", [frame("\(text).close()", "/src/app/Sources/Detail.swift", 56)]),
        backtrace("allocation", event: 1, [frame("\(text).init()", "/usr/lib/\(text).swift", 7)]),
      ],
      holds: [], path: [], suggestion: "Make the reference to \(text) weak.")
  }

  static func report(_ findings: [Report.Finding], verdict: String? = nil, reason: String? = nil, remark: String? = nil)
    -> Report
  {
    Report(
      program: Report.Program(
        path: "/src/app/.build/debug/App", arguments: ["App", "--fast"], processID: 4711, exitStatus: 0),
      recording: Report.Recording(
        toolchain: "/lib/libswiftCore.so", method: "entry detours", events: ["retain": 5, "release": 4], lostEvents: 0,
        unseen: [:],
        duration: 1_042_000_000, threads: 2, remarks: remark.map { [$0] } ?? []),
      verdict: verdict ?? (findings.isEmpty ? "clean" : "findings"), noVerdictReason: reason, classes: [],
      findings: findings,
      liveAtExit: [], timelines: [])
  }

  /// The timeline of the finding's object, with one event that is in no backtrace.
  static func timeline(_ text: String = "DetailViewController") -> Report.ObjectTimeline {
    func event(_ number: UInt64, _ kind: String, _ change: Int, _ count: Int, _ function: String, final: Bool = false)
      -> Report.ObjectTimeline.Event
    {
      Report.ObjectTimeline.Event(
        event: number, time: number * 100, kind: kind, change: change, count: count, thread: "main thread",
        function: function,
        location: "Detail.swift:\(number + 10)", isAfterGap: false, isFinalRelease: final)
    }
    return Report.ObjectTimeline(
      object: Report.Object(id: "\(text)#1", class: "App.\(text)"), role: "subject",
      events: [
        event(1, "allocate", 1, 1, "init"), event(4, "retain", 1, 2, "Master.open()"),
        event(6, "release", -1, 0, "close", final: true),
      ],
      holds: [], omittedEvents: 0)
  }

  /// A thread is held before it uses what the main thread then frees.
  static var exploration: Report.Exploration {
    Report.Exploration(
      runs: 12, stopped: 1, points: 3456, racingSites: 5, reversedSites: 2, duration: 1_500_000_000, foundInRun: 12,
      strategy: "a hold at a racing pair", seed: 4_611_686_018_780_447_488, shownAgain: 9, shownAgainOf: 10,
      schedule: [
        Report.Exploration.Hold(
          thread: "worker", before: "use", object: Report.Object(id: "Screen#1", class: "App.Screen"),
          function: "Poller.tick()",
          location: "Poller.swift:18", visit: 3, microseconds: 240, isOvertaken: true,
          end: Report.Exploration.Place(
            thread: "main thread", function: "App.close()", location: "App.swift:26", event: 72),
          isFreed: true, event: 70, endEvent: 76)
      ])
  }

  /// Everything that could break a format, in one string.
  static let hostile =
    "<script>alert('x')</script> & \"quoted\" ]]> \u{1B}[31mred\u{1B}[0m\r\n::error title=owned::gotcha\n"
    + "[link](http://evil.example) `code` **bold** | cell | @someone #1 %0A%3A "
    + "\u{0}\u{8}\u{B}\u{FFFE}\u{202E}gnirts\u{2066}\u{200F}\u{2028}\u{85}"

  /// The sample with the same string in every text field.
  static func report(everywhere text: String) -> Report {
    var finding = finding(text)
    finding.kind = text
    finding.fingerprint = text
    finding.access = text
    finding.severity = text
    finding.outcome = nil
    finding.backtraces = finding.backtraces.map { backtrace in
      var backtrace = backtrace
      backtrace.role = text
      backtrace.thread = text
      backtrace.extent = text
      backtrace.frames = [
        frame(text, "/src/app/" + text, 1, column: 1, image: text), frame(text, text, -1, image: text, isSystem: true),
      ]
      return backtrace
    }
    var suppressed = finding
    suppressed.outcome = Report.Outcome(state: "suppressed", reason: text)
    var known = finding
    known.outcome = Report.Outcome(state: "known", reason: text)
    var failing = finding
    failing.outcome = Report.Outcome(state: "failing", reason: nil)
    var report = report([finding, failing, suppressed, known], verdict: "none", reason: text, remark: text)
    report.program.path = "/" + text
    report.program.arguments = [text, text]
    var line = timeline(text)
    line.events[1].function = text
    line.events[1].kind = text
    line.events[1].thread = text
    line.events[1].location = text
    report.timelines = [line]
    report.gate = Report.Gate(
      failOn: [text],
      contracts: ["kept", "broken", "unknown"].map { Report.Contract(text: text, result: $0, sentence: text) },
      fixed: [text], unusedSuppressions: [text], hasBaseline: true)
    return report
  }
}

extension String {
  /// Scalars that control a terminal or reorder text, except the line end.
  var commandingScalars: [Unicode.Scalar] {
    unicodeScalars.filter {
      switch $0.value {
      case 0x0A: false
      case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
      default: false
      }
    }
  }
}
