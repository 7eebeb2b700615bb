import Foundation
import Testing

/// A program that some tests need and that may be missing; `Scripts/setup` installs it.
public enum TestTool: String, Sendable {
  case checkJSONSchema = "check-jsonschema"
  case chromium
  case cmark = "cmark-gfm"
  /// Python with DuckDB.
  case duckdb = "python-with-duckdb"
  case dwz
  case go
  case llvmSymbolizer = "llvm-symbolizer"
  /// Python with Perfetto's published messages.
  case perfetto = "python-with-perfetto"
  case sarif
  case sqlite = "sqlite3"
  case valgrind

  /// The tool's path; nil if it is not installed.
  public var path: String? {
    for folder in Self.folders {
      for name in names where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        return "\(folder)/\(name)"
      }
    }
    return nil
  }

  /// Whether its tests run. In continuous integration all do, and a missing tool is a failure.
  public var isExpected: Bool { !QuickRun.isOn && (path != nil || ProcessInfo.processInfo.environment["CI"] == "true") }

  private var names: [String] {
    self == .chromium ? ["chromium", "chromium-browser", "google-chrome"] : [rawValue]
  }

  /// PATH, and the folder where `Scripts/setup` installs Python tools.
  private static let folders: [String] = {
    let environment = ProcessInfo.processInfo.environment
    let cache = environment["XDG_CACHE_HOME"] ?? "\(environment["HOME"] ?? "")/.cache"
    return (environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["\(cache)/lifeline/test-tools/bin"]
  }()

  /// Runs the tool, or says what installs it.
  public func run(_ arguments: [String], environment: [String: String] = [:], folder: String? = nil) throws
    -> CommandResult
  {
    guard let path else { throw TestProcessError("\(rawValue) is not installed; Scripts/setup installs it.") }
    return try CommandResult.run(path, arguments, environment: environment, folder: folder)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test on a machine without the tool, but never in continuous integration.
  public static func needs(_ tool: TestTool) -> Self {
    .enabled(if: tool.isExpected, "needs \(tool.rawValue), which Scripts/setup installs")
  }
}
