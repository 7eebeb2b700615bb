// swift-tools-version: 6.1
import PackageDescription

// A package as a user has it, with a bug in Feed.swift; Tests/LifelineCommandTests/SamplePackageTests.swift copies it
// to another place, fixes the bug, plants a second one, and looks at what `swift package lifeline check` says.
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
