// leak: 1 Parser, 1 Rule
// path: Parser.rules, Rule.parser
// A cycle through the boxes of an indirect enum.
indirect enum Rules { case none, one(Rule), pair(Rules, Rules) }
final class Parser { var rules = Rules.none }
final class Rule {
  #if CLEAN
  weak var parser: Parser?
  #else
  var parser: Parser?
  #endif
}
@inline(never) func build() -> Bool {
  let parser = Parser() // ALLOC
  let rule = Rule() // ALLOC
  rule.parser = parser // KEPT
  parser.rules = .pair(.none, .pair(.one(rule), .none))
  return rule.parser === parser
}
print(build())
