import Foundation
import LifelineCompaction
import LifelineTrace
import SystemPackage

/// The sample trace, compacted.
enum CompactTrace {
  static let bytes: [UInt8] = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)").path
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try Data(SampleTrace.bytes).write(to: URL(fileURLWithPath: folder + "/trace"))
      let file = try FileDescriptor.open(
        FilePath(folder + "/compact"), .writeOnly, options: .create, permissions: .ownerReadWrite)
      try file.closeAfter { _ = try CompactTraceWriter(TraceFile(path: folder + "/trace")).write(to: file) }
      return Array(try Data(contentsOf: URL(fileURLWithPath: folder + "/compact")))
    } catch {
      fatalError("the sample trace cannot be compacted: \(error)")
    }
  }()
}
