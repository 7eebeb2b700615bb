import LifelineTrace

/// Where the runtime is linked into the program, its code and the program's own are in one image.
extension CallSiteTable {
  /// The image of a site; what libraries have in the program is as if it were in an image of its own.
  func image(of site: BacktraceEntry) -> Int {
    let image = tables.image(at: site.address)?.id ?? 0
    return tables.runtime == .static && frames(site).last?.isLibrary == true ? -image : image
  }

  /// Whether code is the runtime's, or the libraries' that are linked into the program with it.
  func isInRuntime(_ site: BacktraceEntry) -> Bool {
    tables.image(at: site.address)?.path == tables.runtimePath
      && (tables.runtime != .static || frames(site).last?.isLibrary == true)
  }
}
