import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ParameterTests {
  private static let source = """
    final class Box<Element> { var count = 0 }
    final class Node {
      var next: ((Int, Node) -> Void)?
      var count = 0
      @inline(never) func link(_ other: Box<Int>, _ maybe: Node?) {
        next = { step, node in
          node.count += step + other.count
          self.count += maybe?.count ?? 0
        }
      }
      @inline(never) func call(_ node: Node) { next?(1, node) }
    }
    let node = Node()
    node.link(Box<Int>(), nil)
    node.call(node)
    print(node.count)
    """

  @Test(
    "A closure's parameters are followed by what it captured, also where the closure is inlined",
    arguments: ["-Onone", "-O"])
  func captured(_ level: String) throws {
    let program = try CompiledProgram(Self.source, options: ["-g", level, "-module-name", "App"])
    defer { program.remove() }
    let image = try program.image()
    let symbolicator = Symbolicator(images: [image])
    let name = "$s3App4NodeC4linkyyAA3BoxCySiG_ACSgtFySi_ACtcfU_"
    let start = try #require(
      ["", "TA"].lazy.compactMap { symbolicator.address(of: name + $0, inImageOf: image.addresses.lowerBound) }.first)
    let found = (0..<96).lazy.compactMap { symbolicator.parameters(of: name, at: start + $0) }.first
    let parameters = try #require(found)
    #expect(parameters.map(\.name) == ["step", "node", "other", "self", "maybe"])
    #expect(
      parameters.map { Demangler.demangle($0.type) }
        == ["Swift.Int", "App.Node", "App.Box<Swift.Int>", "App.Node", "Swift.Optional<App.Node>"])
    #expect(ClosureSignature.parameterCount(name) == 2)
    #expect(symbolicator.parameters(of: name + "x", at: start) == nil)
  }

  @Test("A method's closure that was inlined is located where it is written")
  func written() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-O", "-module-name", "App"])
    defer { program.remove() }
    let image = try program.image()
    let symbolicator = Symbolicator(images: [image])
    let name = "$s3App4NodeC4linkyyAA3BoxCySiG_ACSgtFySi_ACtcfU_"
    let start = try #require(
      ["TA", ""].lazy.compactMap { symbolicator.address(of: name + $0, inImageOf: image.addresses.lowerBound) }.first)
    let found = (0..<96).lazy.compactMap { symbolicator.declaration(of: name, at: start + $0) }.first
    let closure = try #require(found)
    // Its first statement is in line 7.
    #expect(closure.line == 6 && closure.file.hasSuffix("Sample.swift"))
  }
}
