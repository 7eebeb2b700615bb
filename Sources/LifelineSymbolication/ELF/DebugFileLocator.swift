/// Finds the separate file that holds an image's debug information.
///
/// The search paths are gdb's ("Debugging Information in Separate Files"): by build ID, then by debug link.
struct DebugFileLocator {
  /// The folder where distributions install debug files.
  var root = "/usr/lib/debug"
  /// Why an existing file could not be used, as a sentence; nil if all could.
  private(set) var problem: String?

  /// The debug file of an image, or nil; its build ID, or without one its checksum, must be the image's.
  mutating func locate(for image: ELFFile) -> ELFFile? {
    let buildID = image.buildID
    let folder = Self.folder(of: image)
    var candidates: [String] = []
    if let file = Self.name(ofBuildID: buildID) {
      candidates += ["\(root)/.build-id/\(file)", "\(folder)/.build-id/\(file)"]
    }
    let link = image.debugLink
    if let link, !link.name.isEmpty, !link.name.contains("/") {
      candidates += ["\(folder)/\(link.name)", "\(folder)/.debug/\(link.name)", "\(root)\(folder)/\(link.name)"]
    }
    for path in candidates where path != image.path {
      let file: ELFFile
      do throws(ELFFileError) { file = try ELFFile(path: path) } catch {
        if !error.isMissing { problem = "The debug file \(path) \(error); functions are shown without their lines." }
        continue
      }
      guard file.hasDebugInformation else { continue }
      let own = file.buildID
      if own.isEmpty || buildID.isEmpty ? link.map({ file.checksum() == $0.checksum }) ?? false : own == buildID {
        return file
      }
    }
    return nil
  }

  /// The file that a debug file shares with others, from the path and build ID in .gnu_debugaltlink.
  func supplement(of file: ELFFile) -> ELFFile? {
    guard let section = file.sections.first(where: { $0.name == ".gnu_debugaltlink" }),
      let bytes = file.bytes(of: section),
      let start = bytes.string(at: 0)
    else { return nil }
    let name = String(decoding: start, as: UTF8.self)
    var reader = bytes.reader(start.count + 1..<max(start.count + 1, bytes.count))
    var buildID: [UInt8] = []
    while !reader.isAtEnd, buildID.count < 64 { buildID.append(reader.byte()) }
    let folder = Self.folder(of: file)
    var candidates = [name.hasPrefix("/") ? name : "\(folder)/\(name)"]
    if let file = Self.name(ofBuildID: buildID) { candidates.append("\(root)/.build-id/\(file)") }
    for path in candidates where path != file.path && !buildID.isEmpty {
      if let found = try? ELFFile(path: path), found.buildID == buildID { return found }
    }
    return nil
  }

  private static func folder(of file: ELFFile) -> String {
    file.path.contains("/")
      ? file.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") : "."
  }

  private static func name(ofBuildID buildID: [UInt8]) -> String? {
    guard buildID.count > 2 else { return nil }
    let hex = buildID.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    return "\(hex.prefix(2))/\(hex.dropFirst(2)).debug"
  }
}
