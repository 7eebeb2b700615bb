import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

/// llvm-symbolizer as a second opinion: it reads the same files with independent code.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct LLVMSymbolizerTests {
  private static let generic = """
    protocol Shape { func area() -> Int }
    struct Square: Shape { let side: Int; func area() -> Int { side * side } }
    final class Tree<Element: Comparable> {
      var left: Tree?, right: Tree?
      let element: Element
      init(_ element: Element) { self.element = element }
      func insert(_ other: Element) {
        if other < element {
          if let left { left.insert(other) } else { left = Tree(other) }
        } else {
          if let right { right.insert(other) } else { right = Tree(other) }
        }
      }
      func walk(_ body: (Element) -> Void) {
        left?.walk(body)
        body(element)
        right?.walk(body)
      }
    }
    let tree = Tree("m")
    for word in CommandLine.arguments.flatMap({ $0.split(separator: "/").map(String.init) }) { tree.insert(word) }
    var shapes: [any Shape] = []
    tree.walk { shapes.append(Square(side: $0.count)) }
    print(shapes.map { $0.area() }.sorted().reduce(0, +))
    """

  @Test(
    "Every address of a program has the same functions and lines as in llvm-symbolizer", .needs(.llvmSymbolizer),
    arguments: [
      ("Sample.swift", "swiftc", ["-g", "-O"]), ("Sample.swift", "swiftc", ["-g", "-Onone"]),
      ("sample.cpp", "clang++", ["-O1", "-gdwarf-5"]), ("sample.cpp", "clang++", ["-O1", "-gdwarf-4"]),
      ("sample.cpp", "clang++", ["-O1", "-gdwarf-5", "-gdwarf64"]), ("sample.cpp", "g++", ["-O2", "-g"]),
      ("sample.cpp", "g++", ["-O2", "-g", "-flto"]),
    ])
  func agreement(_ file: String, _ compiler: String, _ options: [String]) throws {
    let source = file.hasSuffix("swift") ? Self.generic : SymbolicatorTests.cxxSource
    let program = try CompiledProgram(source, options: options, file: file, compiler: compiler)
    defer { program.remove() }
    let text = try #require(
      try CompiledProgram.run("readelf", ["-SW", program.path]).firstMatch(
        of: /\] \.text\s+\w+\s+([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+)/))
    let start = try #require(UInt64(text.1, radix: 16))
    let addresses = Array(start..<start + (try #require(UInt64(text.2, radix: 16))))
    let answers = try TestTool.llvmSymbolizer.run(
      ["--no-demangle", "--inlines", "--obj=\(program.path)"] + addresses.map { "0x\(String($0, radix: 16))" }
    ).output.components(separatedBy: "\n\n").filter { !$0.isEmpty }
    try #require(answers.count == addresses.count)
    let symbolicator = Symbolicator(images: [try program.image()])
    for (address, answer) in zip(addresses, answers) {
      let frames = symbolicator.frames(at: address + 0x10_0000)
      let lines = answer.split(separator: "\n")
      #expect(
        frames.map { $0.mangledName ?? "??" } == stride(from: 0, to: lines.count, by: 2).map { String(lines[$0]) })
      let places = stride(from: 1, to: lines.count, by: 2).map { String(lines[$0]) }
      for (frame, place) in zip(frames, places) where !place.contains(":0:") {
        // For line 0 we show more: see SymbolicatorTests.lineZero.
        #expect("\(frame.file ?? "??"):\(frame.line ?? 0):\(frame.column ?? 0)" == place)
      }
    }
  }
}
