import ArgumentParser
import Glibc
import LifelineSymbolication

/// Where to find the files of a program that ran elsewhere.
struct SymbolArguments: ParsableArguments {
  @Option(
    name: .customLong("symbols"),
    help: ArgumentHelp(
      "Folder to search for programs, libraries and debug files by build ID (repeatable).",
      valueName: "folder"))
  var folders: [String] = []

  func validate() throws {
    for folder in folders {
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw ValidationError("--symbols \(folder) is not a folder.")
      }
    }
  }

  /// The folders, and the servers of DEBUGINFOD_URLS if that is set.
  var files: SymbolFiles { source()() }

  /// The same for work on other threads, each of which needs its own; silent if messages would garble a screen.
  func source(isSilent: Bool = false) -> @Sendable () -> SymbolFiles {
    let servers = getenv("DEBUGINFOD_URLS").map { String(cString: $0) } ?? ""
    return { [folders] in
      SymbolFiles(folders: folders, asksServers: servers.contains { !$0.isWhitespace }) {
        if isSilent { return }
        Console.log("waiting for the servers of DEBUGINFOD_URLS, which may have files that are missing here")
      }
    }
  }
}
