// swift-tools-version: 6.1
import PackageDescription

// The package of a user of a released Lifeline: by URL and version, with two products and nothing else.
let package = Package(
  name: "Versioned",
  dependencies: [.package(url: Context.environment["LIFELINE_URL"] ?? "", from: "1.0.0")],
  targets: [
    .testTarget(
      name: "VersionedTests",
      dependencies: [
        .product(name: "Lifeline", package: "lifeline"), .product(name: "LifelineTesting", package: "lifeline"),
      ])
  ],
  swiftLanguageModes: [.v6])
