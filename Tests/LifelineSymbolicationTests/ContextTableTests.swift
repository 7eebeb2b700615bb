import Testing

@testable import LifelineSymbolication

struct ContextTableTests {
  @Test(
    "Boxes of indirect cases and of large values are told from what closures captured", arguments: ["-Onone", "-O"])
  func boxes(_ level: String) throws {
    let boxes = try Self.functions(
      """
      class Token {}
      struct Ticket { var zone = 1, price = 2, seat = 3; var token: Token? }
      indirect enum Tree { case leaf(AnyObject), pair(Token, Int), none }
      @inline(never) func keep(_ value: Any, _ tree: Tree) { print(value, tree) }
      keep(Ticket(token: Token()), .leaf(Token()))
      keep(0, .pair(Token(), 1))
      """, level)
    #expect(boxes == [true, true, true])
  }

  @Test("What closures captured, objects and variables, is no box of a value", arguments: ["-Onone", "-O"])
  func closures(_ level: String) throws {
    let closures = try Self.functions(
      """
      class Token { var value = 1 }
      nonisolated(unsafe) var kept: [() -> Int] = []
      @inline(never) func keep(_ first: Token, _ second: Token) {
        var last: Token? = second
        kept.append { first.value }
        kept.append { first.value + second.value }
        kept.append { last = last == nil ? first : nil; return last?.value ?? 0 }
      }
      keep(Token(), Token())
      print(kept.map { $0() })
      """, level)
    #expect(closures == [false, false, false])
  }

  private static func functions(_ source: String, _ level: String) throws -> [Bool] {
    let program = try CompiledProgram(source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    return ContextTable(try ELFFile(path: program.path)).functions.values.map { $0 }
  }
}
