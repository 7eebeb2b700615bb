/// The part of SARIF 2.1.0 (OASIS standard, section 3) that a report needs; the property names are the standard's.
struct SARIFLog: Encodable {
  let schema = "https://json.schemastore.org/sarif-2.1.0.json"
  let version = "2.1.0"
  let runs: [Run]

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case version, runs
  }

  struct Run: Encodable {
    let tool: Tool
    let invocations: [Invocation]
    let results: [Result]
    let columnKind = "unicodeCodePoints"
  }

  struct Tool: Encodable {
    let driver: Driver
  }

  struct Driver: Encodable {
    let name = "Lifeline"
    let semanticVersion: String
    let rules: [Rule]
  }

  struct Rule: Encodable {
    let id: String
    let name: String
    let shortDescription: Message
    let help: Message
    let defaultConfiguration: Configuration
  }

  struct Configuration: Encodable {
    let level: String
  }

  struct Invocation: Encodable {
    let executionSuccessful: Bool
    let exitCode: Int?
    let exitSignalNumber: Int?
    let processId: Int?
    let executableLocation: ArtifactLocation?
    let arguments: [String]
    let toolExecutionNotifications: [Notification]
  }

  struct Notification: Encodable {
    let level: String
    let message: Message
  }

  struct Message: Encodable {
    let text: String
  }

  struct ArtifactLocation: Encodable {
    let uri: String
    let uriBaseId: String?
  }

  struct Region: Encodable {
    let startLine: Int
    let startColumn: Int?
  }

  struct PhysicalLocation: Encodable {
    let artifactLocation: ArtifactLocation
    let region: Region?
  }

  struct LogicalLocation: Encodable {
    let fullyQualifiedName: String
    let kind = "function"
  }

  struct Location: Encodable {
    let id: Int?
    let message: Message?
    let physicalLocation: PhysicalLocation?
    let logicalLocations: [LogicalLocation]
  }

  struct Result: Encodable {
    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: Message
    let locations: [Location]
    let relatedLocations: [Location]
    let codeFlows: [CodeFlow]
    let stacks: [Stack]
    let partialFingerprints: [String: String]
    let baselineState: String?
    let suppressions: [Suppression]
    let properties: [String: String]
  }

  struct CodeFlow: Encodable {
    let message: Message
    let threadFlows: [ThreadFlow]
  }

  struct ThreadFlow: Encodable {
    let id: String
    let locations: [ThreadFlowLocation]
  }

  struct ThreadFlowLocation: Encodable {
    let location: Location
    let executionOrder: Int
    let kinds: [String]
    let importance: String
  }

  struct Stack: Encodable {
    let message: Message
    let frames: [StackFrame]
  }

  struct StackFrame: Encodable {
    let location: Location
    let module: String
  }

  struct Suppression: Encodable {
    let kind = "external"
    let justification: String?
  }
}
