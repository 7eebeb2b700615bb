import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineSymbolication

/// Compiles a small program for a test and knows where its functions are.
struct CompiledProgram {
  let folder: URL
  let path: String

  init(_ source: String, options: [String], file: String = "Sample.swift", compiler: String = "swiftc") throws {
    // A copy of its own: some tests strip or damage theirs.
    let program = try TestProgram(source, options: options, file: file, compiler: compiler)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifeline-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("program").path
    try program.copy(to: path)
  }

  @discardableResult
  static func run(_ tool: String, _ arguments: [String]) throws -> String {
    let result = try CommandResult.run(tool, arguments)
    try #require(result.status == 0, "\(tool) failed: \(result.errors)")
    return result.output
  }

  /// The file address right after the call of `callee` in the function whose symbol contains `function`.
  func returnAddress(in function: String, calling callee: String) throws -> UInt64 {
    try #require(returnAddresses(in: function, calling: callee).first)
  }

  /// Those of all such calls from that function on, in the order of the code.
  func returnAddresses(in function: String, calling callee: String) throws -> [UInt64] {
    let listing = try Self.run("objdump", ["-d", "--no-show-raw-insn", path]).split(separator: "\n").map(String.init)
    let start = try #require(listing.firstIndex { $0.hasSuffix(">:") && $0.contains(function) })
    return listing[start...].indices.dropLast().filter { listing[$0].contains("call") && listing[$0].contains(callee) }
      .compactMap { UInt64(listing[$0 + 1].prefix { $0 != ":" }.trimmingCharacters(in: .whitespaces), radix: 16) }
  }

  func image(path: String? = nil, buildID: [UInt8]? = nil) throws -> SymbolicationImage {
    let own = try #require(try? ELFFile(path: path ?? self.path)).buildID
    return SymbolicationImage(
      path: path ?? self.path, loadBias: 0x10_0000, addresses: 0x10_0000..<0x1000_0000, buildID: buildID ?? own,
      isSystem: false)
  }

  /// Frames, each as "function file:line".
  static func listing(_ frames: [SymbolicatedFrame]) -> [String] {
    frames.map {
      "\($0.function) \($0.file?.split(separator: "/").last ?? "-"):\($0.line ?? 0)\($0.isInlined ? " inlined" : "")"
    }
  }

  /// The frames of a file address, each as "function file:line", the innermost first.
  func frames(at address: UInt64) throws -> [String] {
    Self.listing(Symbolicator(images: [try image()]).frames(at: address + 0x10_0000))
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}
