import Foundation
import PackagePlugin

/// `swift package lifeline VERB …`: builds what is to be looked at, and starts lifeline with it.
///
/// `check` and `record` without a program look at the package's tests; `--product NAME` at an executable. Everything
/// else is lifeline's own, and so is the exit status.
@main
struct LifelinePlugin: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    // Built like the probe, not declared as the plugin's tool: SwiftPM builds tools apart from all else, and so twice.
    let lifeline = try artifact("lifeline", file: "lifeline")
    let request = PluginRequest(arguments)
    let probe = try artifact("LifelineProbe", file: "libLifelineProbe.so")
    var command = request.options
    if request.needsProgram {
      command +=
        ["--"] + (try program(request, context, buildFolder: probe.deletingLastPathComponent()))
        + request.programArguments
    } else if request.hasSeparator {
      command += ["--"] + request.programArguments
    }
    let process = Process()
    process.executableURL = lifeline
    process.arguments = command
    process.environment = ProcessInfo.processInfo.environment.merging(["LIFELINE_PROBE": probe.path]) { own, _ in own }
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    // The status is the answer; SwiftPM would turn a thrown error into its own.
    exit(process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus)
  }

  private func program(_ request: PluginRequest, _ context: PluginContext, buildFolder: URL) throws -> [String] {
    if let product = request.product { return [try artifact(product, file: product).path] }
    // SwiftPM's name for the product that holds all tests of a package; it is built, but not listed among the
    // artifacts.
    let tests = "\(context.package.displayName)PackageTests"
    try build(tests)
    let bundle = buildFolder.appendingPathComponent("\(tests).xctest")
    guard FileManager.default.isExecutableFile(atPath: bundle.path) else {
      throw PluginError("The package has no tests; name an executable with --product.")
    }
    return [bundle.path, "--testing-library", request.usesXCTest ? "xctest" : "swift-testing"]
  }

  private func artifact(_ product: String, file: String) throws -> URL {
    let artifacts = try build(product)
    guard let artifact = artifacts.first(where: { $0.url.lastPathComponent == file }) else {
      throw PluginError("The build of \(product) made no \(file).")
    }
    return artifact.url
  }

  @discardableResult
  private func build(_ product: String) throws -> [PackageManager.BuildResult.BuiltArtifact] {
    let result = try packageManager.build(
      .product(product), parameters: .init(configuration: .debug, logging: .concise))
    guard result.succeeded else { throw PluginError("\(product) could not be built.\n\(result.logText)") }
    return result.builtArtifacts
  }
}
