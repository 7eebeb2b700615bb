import Testing

@testable import LifelineReporting

@Suite("Program text in markup")
struct MarkupTests {
  @Test("Interpolated text is escaped; literals and markup are not")
  func escaping() {
    let name = #"<b onclick="x('&')">"#
    let inner: Markup = "<i>\(1)</i>"
    let markup: Markup = "<p title=\"\(name)\">\(inner)</p>"
    #expect(markup.html == #"<p title="&lt;b onclick=&quot;x(&#39;&amp;&#39;)&quot;&gt;"><i>1</i></p>"#)
  }

  @Test(
    "Invisible, reordering and control characters are shown as code points",
    arguments: [
      ("\u{1B}[31mred\u{1B}[0m", "⟨U+001B⟩[31mred⟨U+001B⟩[0m"),
      ("a\nb\tc\0", "a⟨U+000A⟩b⟨U+0009⟩c⟨U+0000⟩"),
      ("\u{85}\u{9B}\u{7F}", "⟨U+0085⟩⟨U+009B⟩⟨U+007F⟩"),
      ("safe\u{202E}txt.exe\u{2066}\u{2069}\u{200F}\u{61C}", "safe⟨U+202E⟩txt.exe⟨U+2066⟩⟨U+2069⟩⟨U+200F⟩⟨U+061C⟩"),
      ("a\u{200B}b\u{FEFF}c\u{AD}d", "a⟨U+200B⟩b⟨U+FEFF⟩c⟨U+00AD⟩d"),
      ("\u{E0041}\u{1FFFF}", "⟨U+E0041⟩⟨U+1FFFF⟩"),
      ("a\r\nb", "a⟨U+000D⟩⟨U+000A⟩b"),
      ("Größe 漢字 שלום 👩‍👧", "Größe 漢字 שלום 👩‍👧"),
    ])
  func hiddenCharacters(text: String, expected: String) {
    #expect(VisibleText(text, limit: 100).plain == expected)
  }

  @Test("A long text keeps both ends and shows its size")
  func longText() {
    let text = "Module." + String(repeating: "x", count: 1_000_000) + ".Last"
    #expect(
      VisibleText(text, limit: 100).plain
        == "Module.\(String(repeating: "x", count: 53)) … (1 MB in all) … \(String(repeating: "x", count: 35)).Last")
    #expect(VisibleText("exactly twenty chars", limit: 20).plain == "exactly twenty chars")
    #expect(VisibleText(String(repeating: "é", count: 20), limit: 20).plain == String(repeating: "é", count: 20))
  }

  @Test("A label has its limit, with a sign in place of what is left out")
  func labels() {
    #expect(VisibleText("CheckedContinuationCanary", limit: 22).plain == "CheckedConti…ionCanary")
    #expect(VisibleText("abc", limit: 2).plain == "…c" && VisibleText("abc", limit: 0).plain == "…c")
  }

  @Test("A qualified name can break after its dots, and is escaped between them")
  func names() {
    #expect(Markup.name("A.B<C>.d(_:)").html == "A.<wbr>B&lt;C&gt;.<wbr>d(_:)")
    #expect(Markup.name(".").html == ".<wbr>")
  }

  @Test(
    "A sentence mentions an object only by its complete identifier",
    arguments: [
      ("Detail#1.frc let go", true), ("of Detail#1, which", true), ("Detail#1", true),
      ("Detail#12 let go", false), ("MyDetail#1", false), ("Detail #1", false), ("", false),
    ])
  func objectMentions(sentence: String, isMention: Bool) {
    #expect(ObjectMention("Detail#1").isIn(sentence) == isMention)
  }

  @Test("A finding's anchor is its fingerprint if that is valid, and always unique")
  func anchors() {
    #expect(
      AnchorTable(["3f2a", "3f2a", "classes", "", "\"><script>", "3f2a"]).anchors
        == ["3f2a", "3f2a.2", "classes.2", "finding", "script", "3f2a.3"])
  }

  @Test("A command can be pasted into a shell")
  func shellText() {
    #expect(
      ShellText(["lifeline", "report", "a b.lifeline", "it's", "", "$(rm)"]).text
        == #"lifeline report 'a b.lifeline' 'it'\''s' '' '$(rm)'"#)
  }
}
