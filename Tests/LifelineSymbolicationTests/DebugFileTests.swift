import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct DebugFileTests {
  /// A stripped program, and its debug file beside it.
  private struct StrippedProgram {
    let program: CompiledProgram
    let debug: String
    /// An address in code that was inlined into `outer`.
    let address: UInt64

    init(options: [String] = []) throws {
      program = try CompiledProgram(
        SymbolicatorTests.source, options: ["-g", "-O", "-module-name", "Sample"] + options)
      address = try program.returnAddress(in: "5outer", calling: "landing") - 1
      debug = program.path + ".debug"
      try CompiledProgram.run("objcopy", ["--only-keep-debug", program.path, debug])
      try CompiledProgram.run("strip", ["--strip-all", program.path])
    }

    func link() throws { try CompiledProgram.run("objcopy", ["--add-gnu-debuglink=\(debug)", program.path]) }

    func move(to path: String) throws {
      let file = program.folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: debug, toPath: file.path)
    }

    var offset: [String] { ["program+0x\(String(address, radix: 16)) -:0"] }
  }

  static let named = ["middle(_:) Sample.swift:3 inlined", "outer(_:) Sample.swift:6"]

  @Test("Frames of a stripped program show image and offset, or a name that .dynsym still has")
  func stripped() throws {
    let stripped = try StrippedProgram()
    defer { stripped.program.remove() }
    try #expect(stripped.program.frames(at: stripped.address) == stripped.offset)
    let library = try CompiledProgram(
      "public func exported() -> Int {\n  CommandLine.arguments.count\n}\n",
      options: ["-emit-library", "-module-name", "Sample"])
    defer { library.remove() }
    let address = try library.returnAddress(in: "8exported", calling: "CommandLine") - 1
    try CompiledProgram.run("strip", ["--strip-all", library.path])
    try #expect(library.frames(at: address) == ["exported() -:0"])
  }

  @Test(
    "A debug link leads to the file beside the image, or to .debug/ below it", arguments: [nil, ".debug/program.debug"])
  func debugLink(_ place: String?) throws {
    let stripped = try StrippedProgram()
    defer { stripped.program.remove() }
    try stripped.link()
    if let place { try stripped.move(to: place) }
    try #expect(stripped.program.frames(at: stripped.address) == Self.named)
  }

  @Test("A build ID leads to .build-id/ beside the image")
  func buildID() throws {
    let stripped = try StrippedProgram()
    defer { stripped.program.remove() }
    let hex = try ELFFile(path: stripped.program.path).buildID.map { String(format: "%02x", $0) }.joined()
    try stripped.move(to: ".build-id/\(hex.prefix(2))/\(hex.dropFirst(2)).debug")
    try #expect(stripped.program.frames(at: stripped.address) == Self.named)
  }

  @Test("A system library's debug file provides names but not lines, which would take long to read")
  func systemImage() throws {
    let stripped = try StrippedProgram()
    defer { stripped.program.remove() }
    try stripped.link()
    let own = try stripped.program.image()
    let image = SymbolicationImage(
      path: own.path, loadBias: own.loadBias, addresses: own.addresses, buildID: own.buildID, isSystem: true)
    let symbolicator = Symbolicator(images: [image])
    let frames = symbolicator.frames(at: stripped.address + own.loadBias)
    #expect(CompiledProgram.listing(frames) == ["outer(_:) -:0"])
    #expect(symbolicator.problems.isEmpty)
  }

  @Test("The system's debug folder is searched by build ID and by the image's path", arguments: [true, false])
  func systemFolder(_ usesBuildID: Bool) throws {
    let stripped = try StrippedProgram()
    defer { stripped.program.remove() }
    try stripped.link()
    let image = try ELFFile(path: stripped.program.path)
    let hex = image.buildID.map { String(format: "%02x", $0) }.joined()
    let place =
      usesBuildID
      ? ".build-id/\(hex.prefix(2))/\(hex.dropFirst(2)).debug" : "\(stripped.program.folder.path)/program.debug"
    try stripped.move(to: "root/\(place)")
    var locator = DebugFileLocator(root: stripped.program.folder.appendingPathComponent("root").path)
    let found = locator.locate(for: image)
    #expect(found?.path == "\(locator.root)\(usesBuildID ? "/" : "")\(place)" && locator.problem == nil)
    var elsewhere = DebugFileLocator(root: "/gone")
    let none = elsewhere.locate(for: image)
    #expect(none == nil && elsewhere.problem == nil)
  }

  @Test("An unusable debug file is reported")
  func unusable() throws {
    let stripped = try StrippedProgram()
    defer { stripped.program.remove() }
    try stripped.link()
    try Data("no ELF".utf8).write(to: URL(fileURLWithPath: stripped.debug))
    let image = SymbolicationImage(
      path: stripped.program.path, loadBias: 0, addresses: 0..<0x10_0000, buildID: [], isSystem: false)
    let symbolicator = Symbolicator(images: [image])
    _ = symbolicator.frames(at: stripped.address)
    #expect(
      symbolicator.problems == [
        "The debug file \(stripped.debug) is not an ELF file; functions are shown without their lines."
      ])
  }

  @Test("Without build IDs a debug file must match the checksum of the debug link")
  func checksum() throws {
    let stripped = try StrippedProgram(options: ["-Xlinker", "--build-id=none"])
    defer { stripped.program.remove() }
    try stripped.link()
    try #expect(ELFFile(path: stripped.program.path).buildID == [])
    try #expect(stripped.program.frames(at: stripped.address) == Self.named)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: stripped.debug))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data([0]))
    try handle.close()
    try #expect(stripped.program.frames(at: stripped.address) == stripped.offset)
  }

  @Test("A debug file of another build is not used")
  func otherBuild() throws {
    let stripped = try StrippedProgram()
    let other = try StrippedProgram(options: ["-D", "OTHER", "-Xlinker", "--build-id=0x0102030405"])
    defer {
      stripped.program.remove()
      other.program.remove()
    }
    try stripped.link()
    try FileManager.default.removeItem(atPath: stripped.debug)
    try FileManager.default.copyItem(atPath: other.debug, toPath: stripped.debug)
    try #expect(stripped.program.frames(at: stripped.address) == stripped.offset)
  }

  @Test("Debug information that dwz moved to a shared file is found there", .needs(.dwz))
  func supplement() throws {
    let options = ["-O1", "-gdwarf-4"]
    let program = try CompiledProgram(
      SymbolicatorTests.cxxSource, options: options, file: "sample.cpp", compiler: "g++")
    defer { program.remove() }
    let twin = program.path + ".twin"
    try FileManager.default.copyItem(atPath: program.path, toPath: twin)
    let address = try program.returnAddress(in: "<_Z5outer", calling: "printf") - 1
    let whole = try program.frames(at: address)
    #expect(whole == ["shop::Basket::twice() sample.cpp:6 inlined", "outer(shop::Basket*) sample.cpp:11"])
    let common = program.folder.appendingPathComponent("common").path
    try #require(TestTool.dwz.run(["-m", common, "-M", "common", program.path, twin]).status == 0)
    try #require(ELFFile(path: program.path).sections.contains { $0.name == ".gnu_debugaltlink" })
    try #expect(program.frames(at: address) == whole)
    try FileManager.default.removeItem(at: program.folder.appendingPathComponent("common"))
    try #expect(program.frames(at: address).last == "outer(shop::Basket*) sample.cpp:11")
  }

  @Test("The CRC-32 of the standard check text is right")
  func crc() {
    var sum = CRC32()
    Array("123456789".utf8).withUnsafeBytes { sum.add($0) }
    #expect(sum.value == 0xCBF4_3926)
  }
}
