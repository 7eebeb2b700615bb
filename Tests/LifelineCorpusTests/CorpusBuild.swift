import Foundation
import Testing

/// A program of the corpus at a level of optimization.
struct CorpusBuild: Sendable, CustomTestStringConvertible {
  let name: String
  let level: String

  var testDescription: String { "\(name) \(level)" }
  var isOptimized: Bool { level == "-O" }

  /// Set by `Scripts/prove-corpus`: every program at both levels.
  private static var isWhole: Bool { ProcessInfo.processInfo.environment["LIFELINE_WHOLE_CORPUS"] != nil }

  /// The programs of a folder that a test run compiles: every `step`-th one, at alternating levels. Without cached
  /// builds a machine compiles one or two per second, which is too slow to try all of them at each change.
  static func tried(of folder: String, step: Int = 4) -> [CorpusBuild] {
    let names = CorpusProgram.names(in: folder)
    let levels = ["-Onone", "-O"]
    if isWhole { return names.flatMap { name in levels.map { CorpusBuild(name: name, level: $0) } } }
    return stride(from: 0, to: names.count, by: step).map { CorpusBuild(name: names[$0], level: levels[$0 / step % 2]) }
  }

  /// The programs of a folder for a test that compiles each at both levels.
  static func triedNames(of folder: String) -> [String] {
    isWhole ? CorpusProgram.names(in: folder) : ["DelegateWitness", "TaskCapture"]
  }
}
