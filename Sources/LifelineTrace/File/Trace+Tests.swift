extension Trace {
  /// Whether the process ran tests: XCTest or Swift Testing was loaded.
  public var isTestRun: Bool {
    tables.images.contains { image in
      let name = image.path.split(separator: "/").last ?? ""
      return name.hasSuffix(".xctest") || name == "libXCTest.so" || name == "libTesting.so"
    }
  }
}
