// swift-tools-version: 6.1
import PackageDescription

// What a user of Lifeline writes: a package outside of its graph, with it as a dependency.
let package = Package(
  name: "Outside",
  dependencies: [.package(name: "Lifeline", path: "../..")],
  targets: [
    .testTarget(
      name: "OutsideTests",
      dependencies: [
        .product(name: "Lifeline", package: "Lifeline"), .product(name: "LifelineTesting", package: "Lifeline"),
        .product(name: "LifelineProbe", package: "Lifeline"),
      ])
  ],
  swiftLanguageModes: [.v6])
