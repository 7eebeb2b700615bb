import Foundation
import Testing

@testable import LifelineSymbolication

/// Compiles a small program for a test and knows where its functions are.
struct CompiledProgram {
  let folder: URL
  let path: String

  init(_ source: String, options: [String], file: String = "Sample.swift", compiler: String = "swiftc") throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let input = folder.appendingPathComponent(file)
    try source.write(to: input, atomically: true, encoding: .utf8)
    path = folder.appendingPathComponent("program").path
    try Self.run(compiler, options + [input.path, "-o", path])
  }

  @discardableResult
  static func run(_ tool: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [tool] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(tool) failed")
    return String(decoding: data, as: UTF8.self)
  }

  /// The file address right after the call of `callee` in the function whose symbol contains `function`.
  func returnAddress(in function: String, calling callee: String) throws -> UInt64 {
    let listing = try Self.run("objdump", ["-d", "--no-show-raw-insn", path]).split(separator: "\n").map(String.init)
    let start = try #require(listing.firstIndex { $0.hasSuffix(">:") && $0.contains(function) })
    let call = try #require(listing[start...].firstIndex { $0.contains("call") && $0.contains(callee) })
    return try #require(UInt64(listing[call + 1].prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces), radix: 16))
  }

  func image(path: String? = nil, buildID: [UInt8]? = nil) throws -> SymbolicationImage {
    let own = try #require(ELFFile(path: path ?? self.path)).buildID
    return SymbolicationImage(
      path: path ?? self.path, loadBias: 0x10_0000, addresses: 0x10_0000..<0x1000_0000, buildID: buildID ?? own, isSystem: false)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

@Suite struct SymbolicatorTests {
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

  private func listing(_ frames: [SymbolicatedFrame]) -> [String] {
    frames.map { "\($0.function) \($0.file?.split(separator: "/").last ?? "-"):\($0.line ?? 0)\($0.isInlined ? " inlined" : "")" }
  }

  @Test("An address inside an inlined function gives both functions and both lines")
  func inlining() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-O", "-module-name", "Sample"])
    defer { program.remove() }
    let address = try program.returnAddress(in: "5outer", calling: "landing")
    let frames = Symbolicator(images: [try program.image()]).frames(at: address + 0x10_0000 - 1)
    #expect(listing(frames) == ["middle(_:) Sample.swift:3 inlined", "outer(_:) Sample.swift:6"])
  }

  @Test("DWARF 5, as clang writes it, is read too")
  func dwarf5() throws {
    let program = try CompiledProgram(
      "int landing(int);\nint outer(int n) {\n  return landing(n) + 1;\n}\nint main(void) { return outer(1); }\n__attribute__((noinline)) int landing(int n) { return n; }\n",
      options: ["-g", "-O0", "-gdwarf-5"], file: "sample.c", compiler: "clang")
    defer { program.remove() }
    let address = try program.returnAddress(in: "<outer>", calling: "landing")
    #expect(listing(Symbolicator(images: [try program.image()]).frames(at: address + 0x10_0000 - 1)) == ["outer sample.c:3"])
  }

  @Test("A stripped program gives image and offset; its separate debug file brings the names back")
  func separateDebugFile() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-O", "-module-name", "Sample"])
    defer { program.remove() }
    let address = try program.returnAddress(in: "5outer", calling: "landing") + 0x10_0000 - 1
    let debug = program.path + ".debug"
    try CompiledProgram.run("objcopy", ["--only-keep-debug", program.path, debug])
    try CompiledProgram.run("strip", ["--strip-all", program.path])
    let bare = Symbolicator(images: [try program.image()]).frames(at: address)
    #expect(listing(bare) == ["program+0x\(String(address - 0x10_0000, radix: 16)) -:0"])
    try CompiledProgram.run("objcopy", ["--add-gnu-debuglink=\(debug)", program.path])
    let full = Symbolicator(images: [try program.image()]).frames(at: address)
    #expect(listing(full) == ["middle(_:) Sample.swift:3 inlined", "outer(_:) Sample.swift:6"])
  }

  @Test("A file that changed since the recording is refused, not symbolicated wrongly")
  func changedFile() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-Onone"])
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image(buildID: [0xAB, 0xCD])])
    let frames = symbolicator.frames(at: 0x10_1000)
    #expect(listing(frames) == ["program+0x1000 -:0"])
    let own = try #require(ELFFile(path: program.path)).buildID.map { String(format: "%02x", $0) }.joined()
    #expect(symbolicator.problems == [
      "The file \(program.path) has changed since it was recorded (build ID \(own), recorded abcd); its frames are shown as offsets."
    ])
  }

  @Test("A missing file, and an address in no image, still give a frame")
  func unknown() {
    let gone = SymbolicationImage(path: "/gone/lib.so", loadBias: 0, addresses: 0x1000..<0x2000, buildID: [1], isSystem: true)
    let symbolicator = Symbolicator(images: [gone])
    #expect(symbolicator.frames(at: 0x1234).map(\.function) == ["lib.so+0x1234"])
    #expect(symbolicator.frames(at: 0x9999).map(\.function) == ["0x9999"])
    #expect(symbolicator.problems == ["The file /gone/lib.so cannot be read as ELF; its frames are shown as offsets."])
  }

  @Test("Cut off or damaged debug information gives offsets or names, never a crash")
  func hostileFiles() throws {
    let program = try CompiledProgram(Self.source, options: ["-g", "-Onone"])
    defer { program.remove() }
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: program.path)))
    let victim = program.path + ".damaged"
    var state: UInt64 = 7
    for round in 0..<60 {
      var bytes = round < 20 ? Array(whole[..<(whole.count * (round + 1) / 21)]) : whole
      if round >= 20 {
        for _ in 0..<200 {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          bytes[Int(state >> 33) % bytes.count] ^= UInt8(truncatingIfNeeded: state >> 20)
        }
      }
      try Data(bytes).write(to: URL(fileURLWithPath: victim))
      let image = SymbolicationImage(path: victim, loadBias: 0, addresses: 0..<0x10_0000, buildID: [], isSystem: false)
      let symbolicator = Symbolicator(images: [image])
      for address in stride(from: UInt64(0x1000), to: 0x3000, by: 64) { #expect(!symbolicator.frames(at: address).isEmpty) }
    }
  }
}
