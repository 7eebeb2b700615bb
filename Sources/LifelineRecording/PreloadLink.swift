import Glibc
import LifelineTrace

/// A name for the probe that LD_PRELOAD supports, if its own path has a space or a colon.
///
/// ld.so(8) separates the entries by spaces and colons, and they cannot be escaped. So the probe gets a link in a
/// folder that only this user can change. The link stays, because a child of the program may start another program much
/// later.
struct PreloadLink {
  let folders: [String]

  init(folders: [String] = [getenv("TMPDIR").map { String(cString: $0) }, "/tmp", "/var/tmp"].compactMap { $0 }) {
    self.folders = folders
  }

  /// The probe's path itself, or that of a link to it.
  func path(of probe: String) throws -> String {
    if Self.isPreloadable(probe) { return probe }
    let hash = FNV1a(probe).value
    for parent in folders where parent.hasPrefix("/") && Self.isPreloadable(parent) {
      let folder = "\(parent)/lifeline-\(geteuid())-\(String(hash, radix: 16))"
      let link = "\(folder)/\(ProbeLocator.fileName)"
      if makeFolder(folder), makeLink(link, to: probe) { return link }
    }
    throw RecordingError(
      "The path of the probe, \(probe), contains a space or a colon, so it cannot be preloaded, "
        + "and no link to it can be created in "
        + "\(folders.joined(separator: " or ")). Put a copy elsewhere and name it in LIFELINE_PROBE.")
  }

  static func isPreloadable(_ path: String) -> Bool {
    !path.utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ":") }
  }

  /// Whether the folder exists and no other user could have put something into it.
  private func makeFolder(_ folder: String) -> Bool {
    mkdir(folder, 0o700)
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }

  private func makeLink(_ link: String, to probe: String) -> Bool {
    if readLink(link) == probe { return true }
    // Complete or absent, because another lifeline may be starting a program with it.
    let fresh = "\(link).\(getpid())"
    unlink(fresh)
    guard symlink(probe, fresh) == 0, rename(fresh, link) == 0 else { return false }
    return true
  }

  private func readLink(_ link: String) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + 1) { buffer in
      let length = readlink(link, buffer.baseAddress!, Int(PATH_MAX))
      guard length >= 0 else { return nil }
      buffer[length] = 0
      return String(cString: buffer.baseAddress!)
    }
  }
}
