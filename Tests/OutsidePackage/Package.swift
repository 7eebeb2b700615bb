// swift-tools-version: 6.1
import PackageDescription

// A user's package: outside of Lifeline's package graph, with Lifeline as a dependency.
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
