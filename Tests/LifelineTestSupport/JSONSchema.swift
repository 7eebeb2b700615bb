import Foundation

/// Enough of JSON Schema (draft 7) to validate a document: type, properties, required, additionalProperties, items,
/// enum, const, pattern, minimum, minItems, uniqueItems, anyOf and local $ref.
///
/// A published schema allows properties that it does not name; here each one must be named, so that a field cannot be
/// added without a description.
public struct JSONSchema {
  private let root: [String: Any]
  private let refusesUnnamed: Bool
  /// Keywords that this reader supports or that only describe; any other is a mistake in the schema.
  private static let known: Set<String> = [
    "$schema", "$comment", "title", "description", "default", "definitions", "type", "properties", "required",
    "additionalProperties",
    "items", "enum", "const", "pattern", "minimum", "minItems", "uniqueItems", "anyOf", "$ref",
  ]

  /// Reads the schema from a file.
  public init(_ url: URL, refusesUnnamed: Bool = false) throws {
    root = try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    self.refusesUnnamed = refusesUnnamed
  }

  /// Reads a schema from Documentation/Schemas.
  public init(published name: String) throws {
    let url = BuiltPackage.root.appendingPathComponent("Documentation/Schemas/\(name).json")
    try self.init(url, refusesUnnamed: true)
  }

  /// The problems of a document, each with its path; empty if it is valid.
  public func problems(_ document: String) throws -> [String] {
    problems(try JSONSerialization.jsonObject(with: Data(document.utf8)), root, "$")
  }

  private func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      let name = reference.replacingOccurrences(of: "#/definitions/", with: "")
      guard let target = (root["definitions"] as? [String: Any])?[name] as? [String: Any] else {
        return ["\(path): no definition \(name)"]
      }
      return problems(value, target, path)
    }
    var found = schema.keys.filter { !Self.known.contains($0) }.map { "\(path): the keyword \($0) is not understood" }
    let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
    let type = Self.type(value)
    if !types.isEmpty, !types.contains(type), !(types.contains("number") && type == "integer") {
      return found + ["\(path): \(type) where \(types.joined(separator: " or ")) is due"]
    }
    if let options = schema["enum"] as? [NSObject], !options.contains(value as! NSObject) {
      found.append("\(path): \(value) is none of \(options)")
    }
    if let constant = schema["const"] as? NSObject, constant != value as! NSObject {
      found.append("\(path): \(value) is not \(constant)")
    }
    if let text = value as? String, let pattern = schema["pattern"] as? String,
      text.range(of: pattern, options: .regularExpression) == nil
    {
      found.append("\(path): '\(text.prefix(80))' does not match \(pattern)")
    }
    if let minimum = schema["minimum"] as? Double, let number = value as? NSNumber, number.doubleValue < minimum {
      found.append("\(path): \(number) is below \(minimum)")
    }
    if let object = value as? [String: Any] { found += members(object, schema, path) }
    if let array = value as? [Any] { found += elements(array, schema, path) }
    if let options = schema["anyOf"] as? [[String: Any]],
      !options.contains(where: { problems(value, $0, path).isEmpty })
    {
      found.append("\(path): none of the alternatives of anyOf fits")
    }
    return found
  }

  private func members(_ object: [String: Any], _ schema: [String: Any], _ path: String) -> [String] {
    var found: [String] = []
    for name in schema["required"] as? [String] ?? [] where object[name] == nil {
      found.append("\(path): \(name) is missing")
    }
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    for (name, value) in object.sorted(by: { $0.key < $1.key }) {
      if let known = properties[name] {
        found += problems(value, known, "\(path).\(name)")
      } else if let others = schema["additionalProperties"] as? [String: Any] {
        found += problems(value, others, "\(path).\(name)")
      } else if schema["additionalProperties"] as? Bool == false {
        found.append("\(path): \(name) is not a property")
      } else if refusesUnnamed, schema["anyOf"] == nil {  // the alternatives name theirs
        found.append("\(path): the schema does not name \(name)")
      }
    }
    return found
  }

  private func elements(_ array: [Any], _ schema: [String: Any], _ path: String) -> [String] {
    var found: [String] = []
    if let minimum = schema["minItems"] as? Int, array.count < minimum {
      found.append("\(path): fewer than \(minimum) items")
    }
    if schema["uniqueItems"] as? Bool == true, Set(array.map { $0 as! NSObject }).count != array.count {
      found.append("\(path): the items are not unique")
    }
    if let items = schema["items"] as? [String: Any] {
      for (index, value) in array.enumerated() { found += problems(value, items, "\(path)[\(index)]") }
    }
    return found
  }

  private static func type(_ value: Any) -> String {
    switch value {
    case is NSNull: return "null"
    case is String: return "string"
    case is [Any]: return "array"
    case is [String: Any]: return "object"
    case let number as NSNumber:
      // JSONSerialization represents true and false with the C types "c" or "B", which numbers never have.
      if ["c", "B"].contains(String(cString: number.objCType)) { return "boolean" }
      return number.doubleValue == number.doubleValue.rounded() ? "integer" : "number"
    default: return "unknown"
    }
  }
}
