// leak: 1 Parser
// path: Parser.pattern, closure
// change: Capture self weakly or unowned
// A regular expression's transformation calls the object that has the expression. Generic types were just instantiated,
// and the runtime's tables of them have leftover contents after their elements.
import RegexBuilder
final class Parser {
  let symbols = ["one": 1, "two": 2]
  lazy var pattern: Regex<(Substring, Int)> = Regex {
    "<"
    #if CLEAN
    TryCapture { OneOrMore(.word) } transform: { [weak self] text in self?.value(text) }
    #else
    TryCapture { OneOrMore(.word) } transform: { text in self.value(text) } // KEPT
    #endif
    ">"
  }
  func value(_ text: Substring) -> Int? { symbols[String(text)] }
  func parse(_ text: String) -> [Int] { text.matches(of: pattern).map { $0.1 } } // KEPT
}
@inline(never) func run() -> [Int] {
  let parser = Parser() // ALLOC
  return parser.parse("<one> <three> <two>") // KEPT
}
print(run()) // KEPT
