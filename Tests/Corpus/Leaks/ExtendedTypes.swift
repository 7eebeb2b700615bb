// leak: 1 String.Lexer, 1 String.Lexer.Mark
// path: String.Lexer.mark, String.Lexer.Mark.lexer
// change: String.Lexer.
// Classes in extensions of another module's types, two of them of one name.
extension String {
  final class Lexer {
    private let text: String
    private(set) var mark: Mark?
    final class Mark {
      let offset: Int
      #if CLEAN
      private(set) weak var lexer: Lexer?
      #else
      private(set) var lexer: Lexer?
      #endif
      init(_ offset: Int) { self.offset = offset }
      @inline(never) func set(_ lexer: Lexer) { self.lexer = lexer } // KEPT
    }
    init(_ text: String) { self.text = text }
    @inline(never) func advance() -> Int {
      let mark = Mark(text.count) // KEPT
      mark.set(self)
      self.mark = mark // KEPT
      return mark.offset
    }
  }
}
extension Array {
  final class Lexer {
    var elements: [Element]
    init(_ elements: [Element]) { self.elements = elements }
  }
}
@inline(never) func read(_ text: String) -> Int {
  let lexer = String.Lexer(text) // ALLOC
  return lexer.advance() + (lexer.mark?.offset ?? 0)
}
let numbers = [1, 2, 3]
let live = Array.Lexer(numbers)
print(read("text"), live.elements.count)
