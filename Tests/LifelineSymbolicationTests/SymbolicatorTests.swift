import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct SymbolicatorTests {
  static let source = """
    @inline(never) func landing(_ n: Int) -> Int { n &+ CommandLine.arguments.count }
    @inline(__always) func middle(_ n: Int) -> Int {
      landing(n) &* 3
    }
    @inline(never) func outer(_ n: Int) -> Int {
      let x = middle(n)
      return x &+ 1
    }
    print(outer(2))
    """

  @Test("An address in inlined code has a frame for both functions, each with its line")
  func inlining() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-O", "-module-name", "Sample"])
    defer { program.remove() }
    let address = try program.returnAddress(in: "5outer", calling: "landing")
    try #expect(program.frames(at: address - 1) == ["middle(_:) Sample.swift:3 inlined", "outer(_:) Sample.swift:6"])
  }

  static let cxxSource = """
    #include <cstdio>
    namespace shop {
    struct Basket {
      int count;
      __attribute__((always_inline)) int twice() {
        return std::printf("%d", count) * 2;
      }
    };
    }
    __attribute__((noinline)) int outer(shop::Basket *basket) {
      int value = basket->twice();
      return value + 1;
    }
    int main(int count, char **) { shop::Basket basket{count}; return outer(&basket); }
    """

  @Test(
    "Every version and form of DWARF results in the same frames",
    arguments: [
      ["-gdwarf-2"], ["-gdwarf-3"], ["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-5", "-gdwarf64"], ["-gdwarf-5", "-gz"],
      ["-gdwarf-4", "-gz"], ["-gdwarf-5", "-ffunction-sections", "-Wl,--gc-sections"],
    ])
  func versions(_ options: [String]) throws {
    let program = try CompiledProgram(
      Self.cxxSource, options: ["-O1"] + options, file: "sample.cpp", compiler: "clang++")
    defer { program.remove() }
    let address = try program.returnAddress(in: "<_Z5outer", calling: "printf")
    try #expect(
      program.frames(at: address - 1) == [
        "shop::Basket::twice() sample.cpp:6 inlined", "outer(shop::Basket*) sample.cpp:11",
      ])
  }

  @Test("Without debug information the symbol table names the function")
  func symbolTableOnly() throws {
    let program = try CompiledProgram(Self.source, options: ["-O", "-module-name", "Sample"])
    defer { program.remove() }
    let address = try program.returnAddress(in: "5outer", calling: "landing")
    try #expect(program.frames(at: address - 1) == ["outer(_:) -:0"])
    let symbolicator = Symbolicator(images: [try program.image()])
    let symbol = try #require(symbolicator.symbol(at: address + 0x10_0000 - 1))
    #expect(symbol.name == "$s6Sample5outeryS2iF")
    #expect(symbolicator.symbol(at: symbol.start)?.start == symbol.start)
  }

  @Test("A release with line 0 behind an inlined function has the line of that one's call, not an earlier one's")
  func lineZeroBehindCall() throws {
    let program = try CompiledProgram(
      """
      final class Token { var value = 1 }
      nonisolated(unsafe) var tokens: [Int: Token] = [:]
      @inline(never) func take() {
        tokens.removeValue(
          forKey: 1)
      }
      tokens[1] = Token()
      take()
      print(tokens.count)
      """, options: ["-g", "-O", "-module-name", "Sample"])
    defer { program.remove() }
    try #expect(
      program.frames(at: program.returnAddress(in: "4takeyyF", calling: "swift_release") - 1) == [
        "take() Sample.swift:4"
      ])
  }

  @Test("Code with line 0 has the last line of its own function, not of a function inlined before it")
  func lineZero() throws {
    let program = try CompiledProgram(
      """
      #include <stdio.h>
      static inline __attribute__((always_inline)) int inlined(int n) {
        return n * puts("inlined");
      }
      int outer(int n) {
        inlined(n);
      #line 0
        return getchar();
      }
      int main(int count, char **arguments) { return outer(count); }
      """, options: ["-g", "-O0"], file: "sample.c", compiler: "clang")
    defer { program.remove() }
    try #expect(
      program.frames(at: program.returnAddress(in: "<outer>", calling: "puts") - 1) == [
        "inlined sample.c:3 inlined", "outer sample.c:6",
      ])
    try #expect(
      program.frames(at: program.returnAddress(in: "<outer>", calling: "getchar") - 1) == ["outer sample.c:6"])
  }

  @Test("The entry point of an executable of SwiftPM is its main function")
  func entryPoint() throws {
    let program = try CompiledProgram(
      "print(1)",
      options: [
        "-g", "-module-name", "Sample", "-Xfrontend", "-entry-point-function-name", "-Xfrontend", "Sample_main",
        "-Xlinker", "--defsym=main=Sample_main",
      ])
    defer { program.remove() }
    let address = try program.returnAddress(in: "main>", calling: "swift_release")
    try #expect(program.frames(at: address - 1).last == "main Sample.swift:1")
  }

  @Test("A file that changed since the recording is rejected instead of symbolicated wrongly")
  func changedFile() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-Onone"])
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image(buildID: [0xAB, 0xCD])])
    let frames = symbolicator.frames(at: 0x10_1000)
    #expect(CompiledProgram.listing(frames) == ["program+0x1000 -:0"])
    let own = try #require(try? ELFFile(path: program.path)).buildID.map { String(format: "%02x", $0) }.joined()
    #expect(
      symbolicator.problems == [
        "The file \(program.path) has changed since it was recorded (build ID \(own), recorded abcd); "
          + "its frames are shown as offsets. Use --symbols FOLDER to search a folder for it or its debug file."
      ])
  }

  @Test("An address outside of all images still has a frame")
  func noImage() {
    let symbolicator = Symbolicator(images: [])
    #expect(symbolicator.frames(at: 0x9999).map(\.function) == ["0x9999"])
    #expect(symbolicator.problems == [])
  }

  @Test(
    "Frames of an unusable file are shown as offsets, and the reason is reported",
    arguments: [
      (nil, "/gone/lib.so", "The file /gone/lib.so no longer exists; its frames are shown as offsets."),
      (
        nil, "/memfd:code (deleted)",
        "The file /memfd:code (deleted) no longer exists; its frames are shown as offsets."
      ),
      (nil, "[vdso]", nil), (nil, "linux-vdso.so.1", nil),
      (nil, "/tmp", "The file /tmp is not an ELF file; its frames are shown as offsets."),
      (nil, "/dev/null", "The file /dev/null is not an ELF file; its frames are shown as offsets."),
      ("plain text", nil, "The file PATH is not an ELF file; its frames are shown as offsets."),
      ("\u{7F}ELF", nil, "The file PATH is not an ELF file; its frames are shown as offsets."),
      (
        "\u{7F}ELF\u{1}\u{1}\u{1}" + String(repeating: "\0", count: 60), nil,
        "The file PATH is not an ELF file of a 64-bit little-endian machine; its frames are shown as offsets."
      ),
    ] as [(String?, String?, String?)])
  func unusable(_ text: String?, _ path: String?, _ sentence: String?) throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: file) }
    try text?.write(to: file, atomically: true, encoding: .utf8)
    let image = SymbolicationImage(
      path: path ?? file.path, loadBias: 0, addresses: 0x1000..<0x2000, buildID: [1], isSystem: true)
    let symbolicator = Symbolicator(images: [image])
    #expect(symbolicator.frames(at: 0x1234).map(\.function) == ["\(image.name)+0x1234"])
    #expect(symbolicator.problems == (sentence.map { [$0.replacingOccurrences(of: "PATH", with: file.path)] } ?? []))
  }

  @Test("A file truncated before its section table is reported as truncated")
  func cutOff() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-Onone"])
    defer { program.remove() }
    try Data(contentsOf: URL(fileURLWithPath: program.path)).prefix(8192).write(to: URL(fileURLWithPath: program.path))
    let image = SymbolicationImage(
      path: program.path, loadBias: 0, addresses: 0..<0x10_0000, buildID: [], isSystem: false)
    let symbolicator = Symbolicator(images: [image])
    #expect(symbolicator.frames(at: 0x1234).map(\.function) == ["program+0x1234"])
    #expect(
      symbolicator.problems == ["The file \(program.path) is truncated or damaged; its frames are shown as offsets."])
  }

  @Test("Code that a macro without a name inserted belongs to the function around it")
  func unnamedMacro() throws {
    let source = """
      actor Feed {
        var waiting: [CheckedContinuation<Int, Never>] = []
        func next() async -> Int { await withCheckedContinuation { waiting.append($0) } }
      }
      print(await Feed().next())
      """
    let program = try CompiledProgram(source, options: ["-g", "-Onone"])
    defer { program.remove() }
    let text = try CompiledProgram.run("strings", ["-a", program.path])
    try #require(text.contains("__unknown_macro__"))
    let address = try program.returnAddress(in: "4FeedC4nextSiyYaFTY0_>", calling: "swift_retain") - 1
    let functions = Symbolicator(images: [try program.image()]).frames(at: address + 0x10_0000).map(\.function)
    #expect(functions.last == "Feed.next()" && !functions.contains("__unknown_macro__"), "\(functions)")
  }
}
