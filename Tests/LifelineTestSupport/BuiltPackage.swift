import Foundation

/// Where the package under test and its products are.
public enum BuiltPackage {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The build folder of the tests that are running: their own executable lies in it.
  public static let buildFolder: URL = {
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    return root.appendingPathComponent(".build/debug")
  }()

  public static var lifeline: String { buildFolder.appendingPathComponent("lifeline").path }
  public static var probe: String { buildFolder.appendingPathComponent("libLifelineProbe.so").path }
}
