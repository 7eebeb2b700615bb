import Foundation
@testable import LifelineRecording
import LifelineTestSupport
import Testing

@Suite struct ProgramInspectionTests {
  private func inspect(_ bytes: [UInt8], mode: Int = 0o755) throws -> ProgramInspection {
    try withTemporaryFolder { folder in
      let path = "\(folder)/program"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      let inspection = try ProgramInspection(program: path)
      #expect(inspection.path == path)
      return inspection
    }
  }

  @Test("The location of the runtime determines how a program is recorded")
  func runtimes() throws {
    var builder = ELFBuilder()
    builder.needs(["libc.so.6", "libswiftCore.so"])
    try #expect(inspect(builder.bytes).runtime == .shared)
    builder = ELFBuilder()
    builder.needs(["libc.so.6"])
    builder.defines(["main", "swift_retain", "swift_release"])
    try #expect(inspect(builder.bytes).runtime == .inside)
    builder = ELFBuilder()
    builder.sections.append(ELFBuilder.Section(name: "swift5_types", type: 1))
    let stripped = try inspect(builder.bytes)
    #expect(stripped.runtime == .insideStripped && !stripped.canBeRecorded)
    builder = ELFBuilder()
    builder.defines(["main", "my_swift_retain_count"])
    let plain = try inspect(builder.bytes)
    #expect(plain.runtime == .unknown && plain.canBeRecorded)
  }

  @Test("A program that cannot be recorded is rejected with the reason")
  func obstacles() throws {
    var builder = ELFBuilder()
    builder.machine = 183
    try #expect(
      inspect(builder.bytes).obstacle?.hasSuffix(
        "/program is for another processor or word size; the probe is for 64-bit x86.") == true)
    builder = ELFBuilder()
    builder.hasInterpreter = false
    try #expect(
      inspect(builder.bytes).obstacle?.hasSuffix(
        "/program is a static executable: no library can be preloaded into it. Link it without -static-executable.")
        == true)
    try #expect(inspect(Array("MZ and no more".utf8)).obstacle?.hasSuffix("/program is not an ELF program.") == true)
    try #expect(inspect([]).obstacle?.hasSuffix("/program is not an ELF program.") == true)
    try #expect(inspect(Array("#!/bin/sh\n".utf8)).obstacle == nil)
  }

  @Test("Numbers in a damaged file cause no crash and no memory use beyond the file's size")
  func damaged() throws {
    var builder = ELFBuilder()
    builder.sections.append(ELFBuilder.Section(name: "swift5_types", type: 1))
    for number: UInt64 in [.max, .max - 6, 1 << 63, 1 << 40] as [UInt64] {
      builder.nameOffset = number
      try #expect(inspect(builder.bytes).runtime == .unknown)
      var other = ELFBuilder()
      other.sections.append(ELFBuilder.Section(type: 6, link: .max, offset: number, size: number))
      other.sections.append(ELFBuilder.Section(type: 2, link: 1, offset: 64, size: number))
      try #expect(inspect(other.bytes).runtime == .unknown)
    }
    var whole = ELFBuilder()
    whole.needs(["libswiftCore.so"])
    whole.defines(["swift_retain"])
    for length in stride(from: 0, to: whole.bytes.count, by: 7) { _ = try inspect(Array(whole.bytes[..<length])) }
  }
}
