import Testing

@testable import LifelineReporting

@Suite struct ChangeWordingTests {
  private func capture(_ captured: String, _ closure: String, at place: String?, as variable: String? = nil)
    -> ChangeWording.Part
  {
    .capture(ChangeWording.Capture(captured: captured, closure: closure, place: place, variable: variable))
  }

  @Test("Closures that capture one variable, and properties to make weak, are each listed in one phrase")
  func listed() {
    let parts: [ChangeWording.Part] = [
      capture("self", "the closure at Pane.swift:10", at: "Pane.swift:10", as: "self"), .property("Item.owner"),
      capture("self", "the closure at Pane.swift:9", at: "Pane.swift:9", as: "self"), .text("set Pane.item to nil"),
      .property("Queue.pane"),
    ]
    #expect(
      ChangeWording.sentence(parts)
        == "Capture self weakly or unowned in the closures at Pane.swift:9 and Pane.swift:10 ([weak self]), and make "
        + "Item.owner and Queue.pane weak or unowned, and set Pane.item to nil")
  }

  @Test("Closures without lines are named, apart from those with lines")
  func withoutLines() {
    let parts = [
      capture("Pane", "closure #1 in Pane.open()", at: nil), capture("Pane", "closure #1 in Pane.close()", at: nil),
      capture("Pane", "the closure at Pane.swift:9", at: "Pane.swift:9"),
    ]
    #expect(
      ChangeWording.sentence(parts)
        == "Capture Pane weakly or unowned in closure #1 in Pane.open() and closure #1 in Pane.close(), and capture "
        + "Pane weakly or unowned in the closure at Pane.swift:9")
  }

  @Test("Of several tasks, those that wait in the program's own sources come first")
  func tasks() {
    let places = LostTaskWording.places([
      ("next()", "/App/.build/checkouts/Kit/Sources/Kit/Merge.swift", 107),
      ("run()", "/App/Sources/App/main.swift", 84),
      ("run()", "/App/Sources/App/main.swift", 84), ("wait()", "/App/Sources/App/Zone.swift", nil),
    ])
    #expect(places == ["main.swift:84", "Merge.swift:107"])
  }

  @Test("A channel made for tests is finished, others are closed, and their handlers may have to give up the context")
  func channels() {
    let until = ", since a channel and its pipeline refer to each other until then"
    #expect(
      ChangeWording.closing(["NIOEmbedded.EmbeddedChannel"], [])
        == "call finish() on the EmbeddedChannel when it is no longer needed" + until)
    #expect(
      ChangeWording.closing(["NIOPosix.ServerSocketChannel", "NIOPosix.SocketChannel"], ["App.Echo", "App.Log"])
        == "close the ServerSocketChannel and the SocketChannel when they are no longer needed" + until
        + ", and have handlerRemoved(context:) of Echo and Log give up its context")
  }
}
