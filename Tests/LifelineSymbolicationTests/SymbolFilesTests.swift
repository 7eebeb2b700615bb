import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct SymbolFilesTests {
  /// A program that is no longer where it was recorded, and a folder beside it.
  private struct MovedProgram {
    let program: CompiledProgram
    let image: SymbolicationImage
    let address: UInt64
    let folder: String

    init(options: [String] = []) throws {
      program = try CompiledProgram(
        SymbolicatorTests.source, options: ["-g", "-O", "-module-name", "Sample"] + options)
      address = try program.returnAddress(in: "5outer", calling: "landing") - 1
      image = try program.image()
      folder = program.folder.appendingPathComponent("symbols").path
    }

    /// Moves the program, or a file beside it, to a place in the folder.
    func move(_ suffix: String = "", to place: String) throws {
      let file = URL(fileURLWithPath: folder).appendingPathComponent(place)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: program.path + suffix, toPath: file.path)
    }

    func symbolicate(_ files: SymbolFiles) -> (frames: [String], problems: [String], properties: Int) {
      let symbolicator = Symbolicator(images: [image], files: files)
      let frames = CompiledProgram.listing(symbolicator.frames(at: address + image.loadBias))
      return (frames, symbolicator.problems, symbolicator.storedProperties().count)
    }

    var offset: [String] { ["program+0x\(String(address, radix: 16)) -:0"] }
    var hex: String { image.buildID.map { String(format: "%02x", $0) }.joined() }
  }

  @Test(
    "A program that was moved is found by its build ID anywhere below a folder",
    arguments: ["renamed", "deep/er/bin/program"])
  func found(_ place: String) throws {
    let moved = try MovedProgram()
    defer { moved.program.remove() }
    try moved.move(to: place)
    let without = moved.symbolicate(SymbolFiles())
    #expect(without.frames == moved.offset)
    #expect(
      without.problems == [
        "The file \(moved.image.path) no longer exists; its frames are shown as offsets. Use --symbols FOLDER to "
          + "search a folder for it or its debug file (build ID \(moved.hex))."
      ])
    let found = moved.symbolicate(SymbolFiles(folders: ["/nowhere", moved.folder]))
    #expect(found.frames == DebugFileTests.named && found.problems == [])
  }

  @Test("A debug file in a folder provides a stripped program's lines, even if the program is gone")
  func debugFile() throws {
    let moved = try MovedProgram()
    defer { moved.program.remove() }
    try CompiledProgram.run("objcopy", ["--only-keep-debug", moved.program.path, moved.program.path + ".debug"])
    try CompiledProgram.run("strip", ["--strip-all", moved.program.path])
    try moved.move(".debug", to: ".build-id/\(moved.hex.prefix(2))/\(moved.hex.dropFirst(2)).debug")
    let files = SymbolFiles(folders: [moved.folder])
    let both = moved.symbolicate(files)
    #expect(both.frames == DebugFileTests.named && both.problems == [])
    try FileManager.default.removeItem(atPath: moved.program.path)
    let alone = moved.symbolicate(files)
    #expect(alone.frames == DebugFileTests.named && alone.properties == 0)
    #expect(
      alone.problems == [
        "The file \(moved.image.path) no longer exists, but its debug file "
          + "\(moved.folder)/.build-id/\(moved.hex.prefix(2))/\(moved.hex.dropFirst(2)).debug is available: functions "
          + "have names, stored properties do not."
      ])
  }

  @Test("A program that was rebuilt since gets its names from the recorded build in a folder")
  func rebuilt() throws {
    let moved = try MovedProgram()
    let other = try MovedProgram(options: ["-Xlinker", "--build-id=0x0102030405"])
    defer {
      moved.program.remove()
      other.program.remove()
    }
    try moved.move(to: "old")
    try FileManager.default.copyItem(atPath: other.program.path, toPath: moved.program.path)
    #expect(moved.symbolicate(SymbolFiles()).frames == moved.offset)
    #expect(moved.symbolicate(SymbolFiles(folders: [moved.folder])).frames == DebugFileTests.named)
    // The other build alone does not help.
    try FileManager.default.removeItem(atPath: moved.folder)
    try other.move(to: "program")
    let found = moved.symbolicate(SymbolFiles(folders: [other.folder]))
    #expect(found.frames == moved.offset && found.problems.count == 1)
  }

  @Test("An image without a build ID is found only at its own path below a folder")
  func withoutBuildID() throws {
    let moved = try MovedProgram(options: ["-Xlinker", "--build-id=none"])
    defer { moved.program.remove() }
    try #require(moved.image.buildID == [])
    try moved.move(to: "program")
    let files = SymbolFiles(folders: [moved.folder])
    #expect(moved.symbolicate(files).frames == moved.offset)
    let below = moved.folder + moved.program.folder.path
    try FileManager.default.createDirectory(atPath: below, withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: "\(moved.folder)/program", toPath: "\(below)/program")
    #expect(moved.symbolicate(files).frames == DebugFileTests.named)
  }

  @Test("Pipes, symlink loops and files that are not programs are skipped")
  func otherFiles() throws {
    let moved = try MovedProgram()
    defer { moved.program.remove() }
    try moved.move(to: "z/program")
    #expect(mkfifo("\(moved.folder)/a", 0o600) == 0)
    try FileManager.default.createSymbolicLink(atPath: "\(moved.folder)/b", withDestinationPath: ".")
    try FileManager.default.createSymbolicLink(atPath: "\(moved.folder)/c", withDestinationPath: "c")
    try Data("\u{7F}ELF".utf8).write(to: URL(fileURLWithPath: "\(moved.folder)/d"))
    #expect(moved.symbolicate(SymbolFiles(folders: [moved.folder])).frames == DebugFileTests.named)
  }
}
