import LifelineLifetimes

/// Flame graphs in the format of the page's script: JSON that cannot contain the end of its element.
struct FlameData {
  private let trees: [(order: FlameTree.Order, tree: FlameTree)]
  private let metrics: [ProfileMetric]
  private let hasFormer: Bool

  init(_ profile: CallProfile, former: CallProfile?) {
    let folded = profile.byFunction
    let formerFolded = former?.byFunction
    trees = FlameTree.Order.allCases.map { ($0, FlameTree(folded, former: formerFolded, order: $0)) }
    let total = profile.total + (former?.total ?? ProfileCost())
    metrics = ProfileMetric.allCases.filter { total[$0] > 0 }
    hasFormer = former != nil
  }

  var isEmpty: Bool { metrics.isEmpty }
  /// Smaller calls that are not drawn, in the graph that leaves out most.
  var omitted: Int { trees.map(\.tree.omitted).max() ?? 0 }

  var json: Markup {
    let names = metrics.map { "{\"name\":\(Self.quoted($0.rawValue)),\"isBytes\":\($0.isBytes)}" }
    let views = trees.map { "\(Self.quoted($0.order.rawValue)):\(view($0.tree))" }
    return Markup(
      trusted:
        "{\"metrics\":[\(names.joined(separator: ","))],\"isDifference\":\(hasFormer),"
        + "\"views\":{\(views.joined(separator: ","))}}"
    )
  }

  private func view(_ tree: FlameTree) -> String {
    func list(_ values: [Int]) -> String { "[\(values.map(String.init).joined(separator: ","))]" }
    let names = tree.names.map { Self.quoted(VisibleText($0.text, limit: Markup.textLimit).plain) }.joined(
      separator: ",")
    let values = metrics.map { metric in list(tree.nodes.map { $0.cost[metric] }) }.joined(separator: ",")
    let former =
      hasFormer ? metrics.map { metric in list(tree.nodes.map { $0.former[metric] }) }.joined(separator: ",") : ""
    return """
      {"names":[\(names)],"isSystem":\(list(tree.names.map { $0.isSystem ? 1 : 0 })),\
      "parent":\(list(tree.nodes.map(\.parent))),\
      "name":\(list(tree.nodes.map(\.name))),"values":[\(values)],"former":[\(former)]}
      """
  }

  /// RFC 8259; in addition "<" and "&" are escaped, so that no text is markup in any reader.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\", "<", ">", "&", "'", "\u{2028}", "\u{2029}", "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
