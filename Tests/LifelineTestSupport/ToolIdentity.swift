import Foundation

/// Which build of a tool is found in PATH; its products are rebuilt when another one replaces it.
enum ToolIdentity {
  static func text(of tool: String) -> String {
    for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
      let path = URL(fileURLWithPath: "\(folder)/\(tool)").resolvingSymlinksInPath().path
      guard FileManager.default.isExecutableFile(atPath: path) else { continue }
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return "\(path) \(attributes?[.size] as? Int ?? 0) \(changed)"
    }
    return ""
  }
}
