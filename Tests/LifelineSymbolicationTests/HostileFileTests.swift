import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

/// Truncated and corrupt files: the frames may say little, but there are some.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct HostileFileTests {
  /// A generator that gives the same damage in every run.
  private struct Damage {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % max(1, limit)
    }
  }

  private func symbolicateAll(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let image = SymbolicationImage(path: path, loadBias: 0, addresses: 0..<0x10_0000, buildID: [], isSystem: false)
    let symbolicator = Symbolicator(images: [image])
    for address in stride(from: UInt64(0x400), to: 0x4000, by: 64) {
      let frames = symbolicator.frames(at: address)
      #expect(!frames.isEmpty && frames.allSatisfy { !$0.function.isEmpty })
    }
  }

  private static let forms: [(file: String, compiler: String, options: [String])] = [
    ("Sample.swift", "swiftc", ["-g", "-O"]), ("sample.cpp", "clang++", ["-O1", "-gdwarf-5"]),
    ("sample.cpp", "clang++", ["-O1", "-gdwarf-5", "-gz"]), ("sample.cpp", "clang++", ["-O1", "-gdwarf-2"]),
  ]

  @Test("A file that is truncated anywhere is symbolicated without a crash", arguments: forms.indices)
  func truncated(_ form: Int) throws {
    let (file, compiler, options) = Self.forms[form]
    let source = file.hasSuffix("swift") ? SymbolicatorTests.source : SymbolicatorTests.cxxSource
    let program = try CompiledProgram(source, options: options, file: file, compiler: compiler)
    defer { program.remove() }
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: program.path)))
    for piece in 0..<40 { try symbolicateAll(Array(whole[..<(whole.count * piece / 40)]), program.path + ".cut") }
  }

  @Test("Changed bytes in the headers and debug sections do not crash symbolication", arguments: forms.indices)
  func flipped(_ form: Int) throws {
    let (file, compiler, options) = Self.forms[form]
    let source = file.hasSuffix("swift") ? SymbolicatorTests.source : SymbolicatorTests.cxxSource
    let program = try CompiledProgram(source, options: options, file: file, compiler: compiler)
    defer { program.remove() }
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: program.path)))
    var damage = Damage(state: UInt64(form))
    let sections = try Self.sections(of: program.path)
    for round in 0..<120 {
      var bytes = whole
      let place = round % 4 == 0 ? 0..<64 : sections[damage.next(below: sections.count)]
      for _ in 0..<[1, 4, 64][round % 3] {
        let index = place.lowerBound + damage.next(below: place.count)
        bytes[index % bytes.count] = [0, 0x7F, 0x80, 0xFF, UInt8(damage.next(below: 256))][damage.next(below: 5)]
      }
      try symbolicateAll(bytes, program.path + ".flipped")
    }
  }

  /// Where the debug sections and symbol tables are in a file, by readelf.
  private static func sections(of path: String) throws -> [Range<Int>] {
    let listing = try CompiledProgram.run("readelf", ["-SW", path])
    let places = listing.matches(of: /\] \.(debug_\w+|symtab|strtab|dynsym)\s+\w+\s+[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)/)
      .compactMap { match in
        Int(match.2, radix: 16).flatMap { start in Int(match.3, radix: 16).map { start..<start + $0 } }
      }
    try #require(places.count > 5)
    return places
  }

  @Test("A symbol table beyond the end of the file is reported, and labels do not replace a variable's name")
  func symbolsBeyondTheEnd() throws {
    let source = "int kept[64]; int main(void) { return kept[1]; }"
    let program = try CompiledProgram(source, options: ["-rdynamic"], file: "sample.c", compiler: "clang")
    defer { program.remove() }
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: program.path)))
    func number(_ offset: Int, _ size: Int) -> Int {
      bytes[offset..<offset + size].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    // Elf64_Ehdr: e_shoff at 40, e_shentsize at 58, e_shnum at 60; Elf64_Shdr: sh_type at 4, sh_offset at 24.
    for index in 0..<number(60, 2) {
      let header = number(40, 8) + index * number(58, 2)
      if number(header + 4, 4) == 2 { bytes[header + 30] = 0x7F }
    }
    let damaged = program.path + ".damaged"
    try Data(bytes).write(to: URL(fileURLWithPath: damaged))
    let listing = try CompiledProgram.run("nm", [program.path])
    func address(of name: String) throws -> UInt64 {
      let line = try #require(listing.split(separator: "\n").first { $0.hasSuffix(" \(name)") })
      return try #require(UInt64(line.prefix { $0 != " " }, radix: 16))
    }
    func symbolicator(_ path: String) -> Symbolicator {
      Symbolicator(images: [
        SymbolicationImage(path: path, loadBias: 0, addresses: 0..<0x10_0000, buildID: [], isSystem: false)
      ])
    }
    let (whole, poor) = (symbolicator(program.path), symbolicator(damaged))
    let variable = try address(of: "kept")
    #expect(whole.symbol(at: variable + 8)?.name == "kept" && whole.problems == [])
    // .dynsym still has it, thanks to -rdynamic.
    #expect(poor.symbol(at: variable + 8)?.name == "kept")
    #expect(
      poor.problems == [
        "Some symbols of \(damaged) cannot be read; functions and variables may lack names."
      ])
    for label in ["_edata", "__bss_start"] {
      let name = try whole.symbol(at: address(of: label))?.name
      #expect(name != label, "\(name ?? "")")
    }
  }

  @Test("Random bytes after an ELF header do not crash symbolication")
  func random() throws {
    let program = try CompiledProgram(
      "int main(void) { return 0; }", options: ["-g"], file: "sample.c", compiler: "clang")
    defer { program.remove() }
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: program.path)))
    var damage = Damage(state: 3)
    for _ in 0..<20 {
      let rest = whole.indices.dropFirst(64).map { _ in UInt8(damage.next(below: 256)) }
      try symbolicateAll(whole[..<64] + rest, program.path + ".random")
    }
  }
}
