// swift-tools-version: 6.1
import PackageDescription

// A package of its own: nobody who builds Lifeline should have to build SwiftNIO.
let package = Package(
  name: "server",
  dependencies: [.package(url: "https://github.com/apple/swift-nio", from: "2.101.2")],
  targets: [
    .executableTarget(
      name: "server",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
