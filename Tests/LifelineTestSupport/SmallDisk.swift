import Foundation
import Testing

/// A file system of a few MiB in memory, visible only to the commands that run on it, and removed with them.
public struct SmallDisk: Sendable {
  /// The size, in the format of `mount -o size`.
  public let size: String

  public init(size: String) { self.size = size }

  /// Whether this process may mount file systems (CAP_SYS_ADMIN), which root in a container may not.
  public static let isPermitted: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let capabilities = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return capabilities >> 21 & 1 != 0
  }()

  /// Runs a shell script in `folder`, where the file system is `small`. Files written next to it are kept.
  public func run(_ script: String, environment: [String: String] = [:], in folder: String) throws -> CommandResult {
    try FileManager.default.createDirectory(atPath: "\(folder)/small", withIntermediateDirectories: true)
    return try CommandResult.run(
      "unshare",
      [
        "--mount", "--propagation", "private", "sh", "-c",
        "mount -t tmpfs -o size=\(size) none small || exit 99\n" + script,
      ],
      environment: environment, folder: folder)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test where file systems cannot be mounted.
  public static var needsSmallDisk: Self {
    .enabled(if: !QuickRun.isOn && SmallDisk.isPermitted, "needs permission to mount a file system, which root has")
  }
}
