import Foundation
import LifelineFuzzTargets
import LifelineTestSupport
import Testing

/// The inputs that `Scripts/fuzz` starts with, and those that it found: each is read again.
///
/// An input that ends the process ends the tests.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct FuzzedInputTests {
  private static let folder = Bundle.module.resourceURL!.appendingPathComponent("Inputs").path

  @Test("Inputs found by fuzzing are read or rejected", arguments: FuzzTarget.allCases)
  func inputs(_ target: FuzzTarget) throws {
    let folder = "\(Self.folder)/\(target.rawValue)"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(!names.isEmpty)
    let base = target.needsBase ? try Self.base.get() : nil
    for name in names {
      let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(name)"))
      target.read(Array(bytes), base: base)
    }
  }

  private static let base = Result {
    let source = try #require(Bundle.module.path(forResource: "base", ofType: "swift", inDirectory: "Base"))
    let library = try TestProgram(
      String(contentsOfFile: source, encoding: .utf8), options: ["-g", "-parse-as-library", "-emit-library"])
    return try #require(ElfBase(path: library.path))
  }
}
