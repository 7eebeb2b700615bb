/// Where the files of images are looked for besides the places at which the recorded process had them: in folders, and
/// on the debuginfod servers of DEBUGINFOD_URLS.
///
/// A file counts when it has the build ID that was recorded, whatever its name. An image that had none has its own path
/// below a folder, as in a copy of the host's file system; that it is the same file cannot be checked then.
///
/// The folders are read when an image is first missing: O(files), a few reads of each.
public final class SymbolFiles {
  private let folders: [String]
  private let servers: DebuginfodClient?
  private lazy var pathsByBuildID = SymbolFolder.pathsByBuildID(in: folders)

  /// - Parameters:
  ///   - folders: Searched with all that is below them.
  ///   - asksServers: Whether DEBUGINFOD_URLS is honored.
  ///   - onWait: Told once, on another thread, when a server lets wait.
  public init(folders: [String] = [], asksServers: Bool = false, onWait: @escaping @Sendable () -> Void = {}) {
    self.folders = folders
    servers = asksServers ? DebuginfodClient(onWait: onWait) : nil
  }

  /// Sentences about what could not be asked.
  var problems: [String] { servers?.problem.map { [$0] } ?? [] }

  /// The file that was mapped, or nil.
  func program(of image: SymbolicationImage) -> ELFFile? {
    if image.buildID.isEmpty {
      for folder in folders {
        if let file = try? ELFFile(path: folder + "/" + image.path), file.buildID.isEmpty { return file }
      }
      return nil
    }
    if let file = local(image.buildID, where: \.hasCode) { return file }
    // The system's own libraries have nothing that their debug files lack.
    guard !image.isSystem else { return nil }
    return opened(servers?.find(.executable, buildID: image.buildID), image.buildID)
  }

  /// The file with an image's debug information, or nil. The servers are asked for the program's own images, and for
  /// those `isMissing` here.
  func debugFile(of image: SymbolicationImage, isMissing: Bool) -> ELFFile? {
    guard !image.buildID.isEmpty else { return nil }
    if let file = local(image.buildID, where: \.hasDebugInformation) { return file }
    guard isMissing || !image.isSystem else { return nil }
    return opened(servers?.find(.debugInformation, buildID: image.buildID), image.buildID)
  }

  private func local(_ buildID: [UInt8], where isUseful: (ELFFile) -> Bool) -> ELFFile? {
    guard !folders.isEmpty else { return nil }
    for path in pathsByBuildID[buildID] ?? [] {
      if let file = opened(path, buildID), isUseful(file) { return file }
    }
    return nil
  }

  private func opened(_ path: String?, _ buildID: [UInt8]) -> ELFFile? {
    guard let path, let file = try? ELFFile(path: path), file.buildID == buildID else { return nil }
    return file
  }
}
