import Foundation

/// Locations of the package under test and its products.
public enum BuiltPackage {
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The build folder of the running tests, which contains their executable.
  public static let buildFolder: URL = {
    for argument in CommandLine.arguments where argument.contains(".xctest") {
      return URL(fileURLWithPath: argument).deletingLastPathComponent()
    }
    return root.appendingPathComponent(".build/debug")
  }()

  /// The checkouts of this package's dependencies.
  public static let checkouts: URL = {
    var folder = buildFolder
    while folder.path != "/" {
      let checkouts = folder.appendingPathComponent("checkouts")
      if FileManager.default.fileExists(atPath: checkouts.path) { return checkouts }
      folder.deleteLastPathComponent()
    }
    return root.appendingPathComponent(".build/checkouts")
  }()

  /// Where packages built by tests build Lifeline, once for all of them.
  public static let nestedScratch = root.appendingPathComponent(".build/nested").path
  /// The time limit of a command that may build all of Lifeline.
  public static let nestedLimit = Duration.seconds(1800)

  public static var lifeline: String { buildFolder.appendingPathComponent("lifeline").path }
  public static var probe: String { buildFolder.appendingPathComponent("libLifelineProbe.so").path }

  /// The probe under a name that LD_PRELOAD supports: its path has no space and no colon.
  public static let preloadableProbe: String = {
    guard probe.contains(where: { $0 == " " || $0 == ":" }) else { return probe }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-probe-\(getpid())")
    let link = folder.appendingPathComponent("libLifelineProbe.so").path
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: probe)
    atexit {
      try? FileManager.default.removeItem(atPath: (BuiltPackage.preloadableProbe as NSString).deletingLastPathComponent)
    }
    return link
  }()
}
