import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// Names for places in the code of a process that still loads libraries.
final class LiveNames {
  private let files: @Sendable () -> SymbolFiles
  private var symbolicator = Symbolicator(images: [])
  private var imageCount = 0
  private var places: [BacktraceID: String] = [:]

  init(files: @escaping @Sendable () -> SymbolFiles) { self.files = files }

  /// The innermost line of the program's own code: "Service.start() main.swift:12".
  func place(_ site: BacktraceID, _ tail: TraceTail) -> String {
    if tail.tables.images.count != imageCount { load(tail) }
    if let known = places[site] { return known }
    let place = describe(tail.backtraces.entries(site))
    places[site] = place
    return place
  }

  private func load(_ tail: TraceTail) {
    imageCount = tail.tables.images.count
    places = [:]
    symbolicator = Symbolicator(
      images: tail.tables.images.map {
        SymbolicationImage(
          path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: $0.buildID, isSystem: $0.isSystem)
      }, files: files())
  }

  private func describe(_ sites: [BacktraceEntry]) -> String {
    var other: String?
    for site in sites where site.isFrame {
      for frame in symbolicator.frames(at: site.lookupAddress) {
        let file = frame.file?.split(separator: "/").last.map(String.init)
        let line = file.map { "  \($0)\(frame.line.map { ":\($0)" } ?? "")" } ?? ""
        let text = (frame.function + line).safe
        // Compiler-made thunks have no line; an allocating initializer says nothing that its class does not.
        if !frame.isSystem, frame.line ?? 0 > 0, !frame.function.contains("__allocating_init(") { return text }
        if other == nil { other = text }
      }
    }
    return other ?? "(unknown place)"
  }
}
