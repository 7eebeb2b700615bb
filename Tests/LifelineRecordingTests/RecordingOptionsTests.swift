@testable import LifelineRecording
import Testing

@Suite struct RecordingOptionsTests {
  @Test("By default the probe gets only the output path and the session")
  func plain() {
    var options = RecordingOptions()
    options.output = "/tmp/%e.%p.lifeline"
    #expect(options.text(session: 0xABC, inherited: OptionText()).text == "output=/tmp/%e.%p.lifeline:session=abc")
  }

  @Test("Every option has its key")
  func all() {
    var options = RecordingOptions()
    options.output = "/tmp/t"
    options.force = true
    options.skippedFolder = "/opt/swift/usr"
    options.only = ["A*", "B"]
    options.ignore = ["C"]
    options.guards = ["D"]
    options.allClasses = true
    options.frames = 9
    options.exactTime = true
    options.zombies = true
    options.quarantine = 4096
    options.onUseAfterFree = .stop
    options.quiet = true
    #expect(
      options.text(session: 1, inherited: OptionText()).text
        == "output=/tmp/t:force=1:skip=/opt/swift/usr:only=A*:only=B:ignore=C:guard=D:"
        + "all-classes=1:frames=9:time=exact:zombies=1:quarantine=4096:on-use-after-free=stop:quiet=1:session=1"
    )
  }

  @Test("The user's LIFELINE_OPTIONS override defaults, and the command line overrides them")
  func order() {
    var options = RecordingOptions()
    options.detectsUseAfterFree = true
    options.frames = 9
    let inherited = OptionText("zombies=0:frames=128")
    let text = options.text(session: 1, inherited: inherited)
    #expect(text.text == "zombies=1:on-use-after-free=stop:zombies=0:frames=128:frames=9:session=1")
    #expect(text["zombies"] == "0" && text["frames"] == "9")
    options.zombies = true
    #expect(options.text(session: 1, inherited: inherited)["zombies"] == "1")
    options.continuesByDefault = true
    #expect(
      options.text(session: 1, inherited: OptionText())["on-use-after-free"] == "continue",
      "a gate that accepts findings lets the program continue")
    #expect(
      options.text(session: 1, inherited: OptionText("on-use-after-free=stop"))["on-use-after-free"] == "stop",
      "unless the user said stop")
  }
}
