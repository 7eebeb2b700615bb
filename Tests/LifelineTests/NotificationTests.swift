import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct NotificationTests {
  @Test("The tracked center delivers like Foundation's and releases observers that are gone")
  func behavior() throws {
    for recording in [HarnessRun.Recording.none, .started] {
      #expect(try HarnessRun(["notifications"], recording).lines == ["block", "block", "1", "2", "2", "true", "1"])
    }
  }

  @Test("A post, its deliveries and the objects it keeps alive are in the trace")
  func events() throws {
    let run = try HarnessRun(["notifications"], .started)
    let events = try run.harnessEvents()
    // The first post, whose two deliveries change their order from run to run.
    let first = Array(events[...events.firstIndex(of: "end post changed")!])
    let message = "message weak run() (HarnessProgram/Notifications.swift:18)"
    let byBlock = ["begin delivery changed", "end delivery changed"]
    let byMethod = [
      "begin delivery changed", message, "hold observer in changed", "let go observer in changed",
      "end delivery changed",
    ]
    func post(_ deliveries: [String]) -> [String] {
      ["begin post changed", "hold sender in changed", "hold payload in changed"] + deliveries
        + ["let go payload in changed", "let go sender in changed", "end post changed"]
    }
    #expect(first == post(byBlock + byMethod) || first == post(byMethod + byBlock))
    #expect(events.count { $0 == "begin post changed" } == 6)
    #expect(events.count { $0 == message } == 2)
  }
}
