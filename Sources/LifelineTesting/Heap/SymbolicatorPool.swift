import LifelineSymbolication
import LifelineTrace
import Synchronization

/// Keeps the process's symbols for the next snapshot, because reading them takes longer than everything else.
///
/// A symbolicator serves one thread at a time; if none is free, another is created.
enum SymbolicatorPool {
  private struct Kept {
    let symbolicator: Symbolicator
    let images: [String]
  }

  private struct Box: @unchecked Sendable { var kept: Kept? }
  private static let place = Mutex(Box())

  /// A symbolicator for these images, reused or new.
  static func take(for images: [Image]) -> Symbolicator {
    let names = names(of: images)
    let kept = place.withLock { box -> Box in
      guard box.kept?.images == names else { return Box() }
      defer { box.kept = nil }
      return box
    }
    return kept.kept?.symbolicator
      ?? Symbolicator(
        images: images.map {
          SymbolicationImage(
            path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: $0.buildID, isSystem: $0.isSystem)
        })
  }

  /// Returns one that is no longer used.
  static func give(_ symbolicator: Symbolicator, for images: [Image]) {
    let box = Box(kept: Kept(symbolicator: symbolicator, images: names(of: images)))
    place.withLock { $0 = box }
  }

  /// Gives it up, for the end of the process: memory that was not written yet has addresses of earlier contents.
  static func forget() { place.withLockIfAvailable { $0 = Box() } }

  private static func names(of images: [Image]) -> [String] { images.map { "\($0.loadBias) \($0.path)" } }
}
