/// Why the plugin cannot go on, as a sentence for the user.
struct PluginError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
