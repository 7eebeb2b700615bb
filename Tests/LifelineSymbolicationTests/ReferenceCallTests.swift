import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ReferenceCallTests {
  private static let source = """
    class Model: @unchecked Sendable {
      var steps = 0
      @inline(never) func step() { steps += 1 }
      @inline(never) func begin() -> Task<Void, Never> {
        Task.detached { [unowned self] in
          print("begun")
          for _ in 0..<5 { step() }
        }
      }
    }
    @main struct Program {
      static func main() async { await Model().begin().value }
    }
    """

  /// The compiler gives the load line 0; the line before it is that of print, or of the closure's end.
  @Test(
    "A load of an unowned reference without a line has the line of the call that uses it",
    arguments: [["-Onone"], ["-O"], ["-Onone", "-static-stdlib"]])
  func unowned(_ options: [String]) throws {
    let program = try CompiledProgram(
      Self.source, options: ["-g", "-parse-as-library", "-swift-version", "6", "-module-name", "Sample"] + options)
    defer { program.remove() }
    let address = try program.returnAddress(in: "5beginScTyyts5NeverOGyFyyYacfU_", calling: "swift_unownedRetainStrong")
    let frames = try program.frames(at: address - 1)
    #expect(frames.last == "closure #1 in Model.begin() Sample.swift:7")
  }

  @Test("Other code, other calls and addresses outside of the code are not loads of a reference")
  func others() throws {
    let program = try CompiledProgram(
      Self.source, options: ["-g", "-parse-as-library", "-swift-version", "6", "-module-name", "Sample", "-Onone"])
    defer { program.remove() }
    let call = try program.returnAddress(in: "5beginScTyyts5NeverOGyFyyYacfU_", calling: "swift_unownedRetainStrong")
    let other = try program.returnAddress(in: "5beginScTyyts5NeverOGyFyyYacfU_", calling: "swift_release")
    let loads = ReferenceCalls(to: ReferenceCalls.loads, try ELFFile(path: program.path), own: [])
    #expect(loads.hasCall(endingAt: call - 1))
    for address in [call, call - 2, other - 1, 0, 5, 6, .max] { #expect(!loads.hasCall(endingAt: address)) }
  }

  @Test("What unoptimized code retains without a line has the line of the closure that captures it")
  func captured() throws {
    let source = """
      final class Screen {
        var taps = 0
        var onTap: ((Int) -> Void)?
        @inline(never) func connect() {
          let scale = 2
          let name = "tap"
          onTap = { self.taps += $0 * scale + name.count }
        }
      }
      Screen().connect()
      """
    let program = try CompiledProgram(source, options: ["-g", "-module-name", "Sample", "-Onone"])
    defer { program.remove() }
    let address = try program.returnAddress(in: "7connectyyF>", calling: "swift_retain")
    try #expect(program.frames(at: address - 1).last == "Screen.connect() Sample.swift:7")
  }

  @Test("An allocation without a line, behind what was inlined before it, has the line of what it is for")
  func allocation() throws {
    let source = """
      final class Tree { var root: Node = .leaf }
      indirect enum Node { case leaf, branch(Node, Node) }
      final class Branch {
        let left: Node
        init(_ left: Node) { self.left = left }
      }
      @inline(never) func grow(_ tree: Tree, _ node: Node) -> Branch {
        let branch = Branch(node)

        tree.root = .branch(node, tree.root)
        return branch
      }
      print(grow(Tree(), .leaf).left)
      """
    let program = try CompiledProgram(source, options: ["-g", "-module-name", "Sample", "-O"])
    defer { program.remove() }
    let addresses = try program.returnAddresses(in: "4growy", calling: "swift_allocObject")
    let second = try #require(addresses.dropFirst().first)
    try #expect(program.frames(at: second - 1).last == "grow(_:_:) Sample.swift:10")
  }
}
