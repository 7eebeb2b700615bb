// swift-tools-version: 6.1
import PackageDescription

// A user's package with a bug in Feed.swift; Tests/LifelineCommandTests/SamplePackageTests.swift copies it elsewhere,
// fixes the bug, adds a second one, and checks the output of `swift package lifeline check`.
let package = Package(
  name: "Sample",
  dependencies: [.package(name: "Lifeline", path: Context.environment["LIFELINE_PACKAGE"] ?? "../..")],
  targets: [
    .target(name: "Reader"),
    .executableTarget(name: "ReaderApp", dependencies: ["Reader"]),
    .testTarget(name: "ReaderTests", dependencies: ["Reader"]),
  ],
  swiftLanguageModes: [.v6]
)
