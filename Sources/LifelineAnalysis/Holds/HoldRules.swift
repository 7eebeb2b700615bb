import Foundation

/// The hold rules in effect: those of a user's file first, then the built-in ones (HoldRules.json).
public struct HoldRules: Sendable {
  /// A file of rules.
  private struct File: Codable {
    let version: Int
    let rules: [HoldRule]
  }

  /// Why a file of rules is invalid, as a sentence.
  public struct FormatError: Error, CustomStringConvertible {
    public let description: String
  }

  /// Version of the format and of the built-in rules.
  public static let version = 1

  /// Maximum number of rules in effect at once.
  public static let limit = 64

  public let rules: [HoldRule]

  /// The built-in rules; tests verify that they parse.
  public init() {
    rules = (try? JSONDecoder().decode(File.self, from: Data(PackageResources.HoldRules_json)))?.rules ?? []
  }

  /// The rules of a file, then the built-in ones; `name` is the file's name in errors.
  ///
  /// - Throws: `FormatError` if the bytes are not rules of this version.
  public init(adding bytes: Data, name: String) throws {
    let file: File
    do {
      file = try JSONDecoder().decode(File.self, from: bytes)
    } catch let DecodingError.keyNotFound(key, context) {
      let place = context.codingPath.map { $0.intValue.map { "rule \($0 + 1)" } ?? $0.stringValue }.joined(
        separator: ", ")
      throw FormatError(
        description:
          "The file \(name) has no '\(key.stringValue)'\(place.isEmpty ? "" : " in \(place)"); "
          + "'lifeline rules --format json' shows the format."
      )
    } catch {
      throw FormatError(
        description: "The file \(name) is not a file of hold rules; 'lifeline rules --format json' shows the format.")
    }
    guard file.version == Self.version else {
      throw FormatError(
        description:
          "The hold rules in \(name) have version \(file.version), but this lifeline reads version \(Self.version).")
    }
    rules = file.rules + HoldRules().rules
    guard rules.count <= Self.limit else {
      throw FormatError(
        description:
          "The file \(name) has \(file.rules.count) hold rules; "
          + "at most \(Self.limit - HoldRules().rules.count) can be added."
      )
    }
  }

  /// The bytes of the built-in file.
  public static var builtIn: String { String(decoding: PackageResources.HoldRules_json, as: UTF8.self) }
}
