/// The arguments after `swift package lifeline`, taken apart.
struct PluginRequest {
  /// Verb and options for lifeline.
  private(set) var options: [String] = []
  /// What stands after `--`.
  private(set) var programArguments: [String] = []
  private(set) var hasSeparator = false
  /// Executable product to run in place of the tests.
  private(set) var product: String?
  /// The tests of XCTest rather than those of Swift Testing.
  private(set) var usesXCTest = false

  init(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        hasSeparator = true
        programArguments = Array(rest)
        break
      }
      if argument == "--product" {
        product = rest.popFirst()
      } else if argument.hasPrefix("--product=") {
        product = String(argument.dropFirst("--product=".count))
      } else if argument == "--xctest" {
        usesXCTest = true
      } else {
        options.append(argument)
      }
    }
  }

  /// Whether lifeline runs a program that this plugin has to build: `check` always does here, traces are for `report`.
  var needsProgram: Bool {
    guard let verb = options.first, ["check", "record"].contains(verb) else { return false }
    return !options.contains("--help") && !options.contains("-h")
  }
}
