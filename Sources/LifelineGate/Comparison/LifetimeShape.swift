/// What many objects have in common: class, allocating function, and the numbers of retains and releases by function.
///
/// A class, so that a million similar lifetimes share one and can be compared by reference.
final class LifetimeShape: Sendable, Equatable {
  /// Class and site.
  struct Kind: Hashable {
    let className: String
    let site: String
  }

  let className: String
  let site: String
  let retains: [String: Int]
  let releases: [String: Int]
  let finalRelease: String?

  init(
    className: String, site: String, retains: [String: Int] = [:], releases: [String: Int] = [:],
    finalRelease: String? = nil
  ) {
    self.className = className
    self.site = site
    self.retains = retains
    self.releases = releases
    self.finalRelease = finalRelease
  }

  var kind: Kind { Kind(className: className, site: site) }

  static func == (a: LifetimeShape, b: LifetimeShape) -> Bool {
    a === b
      || a.kind == b.kind && a.retains == b.retains && a.releases == b.releases && a.finalRelease == b.finalRelease
  }
}
