import LifelineAnalysis

/// The test that each call of a tree belongs to, if the tree shows it: what a test calls belongs to the test.
public struct CallTests: Sendable {
  private enum Place {
    case outside
    /// Inside the function that @Test makes, which calls the test's own.
    case aroundTest
    case inside(String)
  }

  private var places: [Place] = [.outside]

  /// O(nodes).
  public init(_ tree: CallTree) {
    places.reserveCapacity(tree.nodes.count)
    for node in tree.nodes.dropFirst() {
      places.append(Self.step(from: places[Int(node.caller)], into: tree.frames[Int(node.frame)]))
    }
  }

  /// The test that a node belongs to, "SessionTests.testClosing()" or "closingWhileLoading()"; nil outside of all
  /// tests.
  public func test(of node: Int) -> String? {
    if case .inside(let name) = places[node] { return name }
    return nil
  }

  private static func step(from outer: Place, into frame: CallFrame) -> Place {
    if case .inside = outer { return outer }
    guard !frame.isSystem else { return outer }
    let code = CodeFrame(function: frame.function, mangledName: frame.mangledName, image: frame.image)
    if code.isTestWrapper { return .aroundTest }
    if case .aroundTest = outer {
      return frame.function.contains("macro expansion #") ? outer : .inside(frame.function)
    }
    return code.isXCTest ? .inside(frame.function) : outer
  }
}
