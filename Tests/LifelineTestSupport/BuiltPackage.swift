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

  /// The checkouts of the packages that this one depends on.
  public static let checkouts: URL = {
    var folder = buildFolder
    while folder.path != "/" {
      let checkouts = folder.appendingPathComponent("checkouts")
      if FileManager.default.fileExists(atPath: checkouts.path) { return checkouts }
      folder.deleteLastPathComponent()
    }
    return root.appendingPathComponent(".build/checkouts")
  }()

  /// Where the packages that tests build have Lifeline built, once for all of them.
  public static let nestedScratch = root.appendingPathComponent(".build/nested").path
  /// The limit of a command that may build all of Lifeline.
  public static let nestedLimit = Duration.seconds(1800)

  public static var lifeline: String { buildFolder.appendingPathComponent("lifeline").path }
  public static var probe: String { buildFolder.appendingPathComponent("libLifelineProbe.so").path }

  /// The probe by a name that LD_PRELOAD can carry: it knows no blank and no colon in a path.
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
