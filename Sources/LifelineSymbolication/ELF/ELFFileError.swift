import SystemPackage

/// Why a file cannot be used, as the end of a sentence: "no longer exists".
struct ELFFileError: Error, CustomStringConvertible {
  let description: String
  var isMissing = false

  static let notELF = ELFFileError(description: "is not an ELF file")
  static let otherMachine = ELFFileError(description: "is not an ELF file of a 64-bit little-endian machine")
  static let cutOff = ELFFileError(description: "is truncated or damaged")

  static func unreadable(_ error: any Error) -> ELFFileError {
    let number = error as? Errno
    if number == .noSuchFileOrDirectory {
      return ELFFileError(description: "no longer exists", isMissing: true)
    }
    return ELFFileError(description: "cannot be read (\(number?.description ?? "\(error)"))")
  }
}
