@testable import LifelineRecording
import Testing

@Suite struct OptionTextTests {
  @Test("Colons and backslashes in values are escaped and read back unchanged")
  func escaping() {
    var text = OptionText()
    text.add("output", "/tmp/a:b\\c=d/%e.%p.lifeline")
    text.add("only", "Box<Swift.Int>")
    #expect(text.text == "output=/tmp/a\\:b\\\\c=d/%e.%p.lifeline:only=Box<Swift.Int>")
    #expect(OptionText(text.text) == text)
  }

  @Test("A colon is escaped even when a combining mark joins it into another character")
  func combiningMarks() {
    var text = OptionText()
    text.add("only", "a:\u{301}b")
    #expect(text.text.unicodeScalars.elementsEqual("only=a\\:\u{301}b".unicodeScalars))
    #expect(OptionText(text.text) == text)
  }

  @Test(
    "Options typed by a person are read as the probe reads them",
    arguments: [
      ("force", [OptionText.Pair(key: "force", value: "1")]),
      ("a=:b=2", [OptionText.Pair(key: "a", value: ""), OptionText.Pair(key: "b", value: "2")]),
      (":::", []),
      ("=5:x=y=z", [OptionText.Pair(key: "x", value: "y=z")]),
      ("a=b\\", [OptionText.Pair(key: "a", value: "b\\")]),
    ])
  func reading(_ text: String, _ pairs: [OptionText.Pair]) {
    #expect(OptionText(text).pairs == pairs)
  }

  @Test("A later value overrides an earlier one")
  func later() {
    #expect(OptionText("frames=8:frames=9")["frames"] == "9")
    #expect(OptionText("frames=8")["only"] == nil)
  }
}
