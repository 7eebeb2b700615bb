import Foundation
import Testing

/// A file system of a few MiB in memory, which only the commands that run on it see, and which goes with them.
public struct SmallDisk: Sendable {
  /// Bytes as `mount -o size` takes them.
  public let size: String

  public init(size: String) { self.size = size }

  /// Whether this process may mount file systems (CAP_SYS_ADMIN), which root in a container may not.
  public static let isPermitted: Bool = {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
    let capabilities = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return capabilities >> 21 & 1 != 0
  }()

  /// Runs a shell script in `folder`, where it sees the file system as `small`. What it writes beside that stays.
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
  /// Leaves a test out where file systems cannot be mounted.
  public static var needsSmallDisk: Self {
    .enabled(if: !QuickRun.isOn && SmallDisk.isPermitted, "needs the right to mount a file system, which root has")
  }
}
