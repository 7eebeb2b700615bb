/// Finds the separate file that holds an image's debug information.
struct DebugFileLocator {
  /// Where distributions install debug files.
  var root = "/usr/lib/debug"

  /// The debug file of an image: by build ID, then by debug link; it must carry the image's build ID.
  func locate(for image: ELFFile) -> ELFFile? {
    let buildID = image.buildID
    let folder = image.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    var candidates: [String] = []
    if buildID.count > 2 {
      let hex = buildID.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let file = "\(hex.prefix(2))/\(hex.dropFirst(2)).debug"
      candidates += ["\(root)/.build-id/\(file)", "\(folder)/.build-id/\(file)"]
    }
    if let link = image.debugLink, !link.contains("/") {
      candidates += ["\(folder)/\(link)", "\(folder)/.debug/\(link)", "\(root)\(folder)/\(link)"]
    }
    for path in candidates where path != image.path {
      if let file = ELFFile(path: path), file.hasDebugInformation, file.buildID == buildID { return file }
    }
    return nil
  }
}
