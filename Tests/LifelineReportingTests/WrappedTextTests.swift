import Testing

@testable import LifelineReporting

@Suite struct WrappedTextTests {
  @Test("Lines break between words, and continuations are indented by two columns")
  func words() {
    let text = "  make(_:)  main.swift:12\n\nVerdict: clean, and nothing was lost."
    #expect(
      text.wrapped(to: 20) == """
          make(_:)
            main.swift:12

        Verdict: clean, and
          nothing was lost.
        """)
    #expect(text.wrapped(to: nil) == text)
    #expect("".wrapped(to: 20) == "")
  }

  @Test("A long word, a number with its unit and a command are not broken, and colors take no width")
  func whole() {
    #expect("a abcdefghijkl b".wrapped(to: 5) == "a\n  abcdefghijkl\n  b")
    #expect("It took 26.1 µs in all.".wrapped(to: 12) == "It took\n  26.1 µs in\n  all.")
    #expect("Again: lifeline explore --seed 12".wrapped(to: 10) == "Again:\n  lifeline explore --seed 12")
    #expect("\u{1B}[1;31merror\u{1B}[0m at all".wrapped(to: 12) == "\u{1B}[1;31merror\u{1B}[0m at all")
  }

  @Test("A name that is too long loses its middle")
  func shortened() {
    #expect("Stage<Swift.String>#12".shortened(to: 11) == "Stage…g>#12")
    #expect("Stage#12".shortened(to: 8) == "Stage#12")
  }

  @Test("A table shortens one column first, then moves the last column to a line of its own")
  func table() {
    var table = TextTable(header: ["object", "size", "where"], rightAligned: [1])
    table.add(["Stage<Swift.String>#1", "56 B", "File.swift:1"])
    table.add(["Stage<Swift.String>#2", "8 B", "AnotherFileOfThePackage.swift:2"])
    #expect(
      table.lines == [
        "object                 size  where", "Stage<Swift.String>#1  56 B  File.swift:1",
        "Stage<Swift.String>#2   8 B  AnotherFileOfThePackage.swift:2",
      ])
    #expect(
      table.lines(width: 40, flexible: 0) == [
        "object            size  where", "Stage<Sw…ring>#1  56 B  File.swift:1", "Stage<Sw…ring>#2   8 B",
        "        AnotherFileOfThePackage.swift:2",
      ])
    #expect(
      table.lines(width: nil, hanging: 20) == [
        "object  size  where", "Stage<Swift.String>#1", "        56 B  File.swift:1", "Stage<Swift.String>#2",
        "         8 B  AnotherFileOfThePackage.swift:2",
      ])
    #expect(table.lines(width: nil, hanging: 21) == table.lines)
    let stacked = table.lines(width: 30, stacking: 1)
    #expect(stacked.head == ["object", "size  where"])
    #expect(stacked.rows[0] == "Stage<Swift.String>#1")
  }
}
