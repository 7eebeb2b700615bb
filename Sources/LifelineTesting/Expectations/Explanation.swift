import LifelineLifetimes
import LifelineTrace

/// Why an object is alive, as lines of text: what holds it, in what cycle, since when.
struct Explanation {
  let snapshot: Snapshot
  let address: UInt64

  /// The maximum number listed of each kind.
  private static let limit = 6

  func lines() -> [String] {
    guard let id = snapshot.id(at: address), id.number > 0 else {
      return ["It is older than the recording, or its class is not recorded, so its holders are unknown."]
    }
    if let problem = snapshot.heap.problem { return ["Who holds it could not be observed: \(problem)."] }
    var lines: [String] = []
    let holders = holders
    lines += holders.prefix(Self.limit).map { "held by \($0)" }
    if holders.count > Self.limit { lines.append("and by \(holders.count - Self.limit) more") }
    if let cycle = snapshot.heap.cycle(through: address) { lines.append("retain cycle: \(text(cycle))") }
    if holders.isEmpty {
      lines.append("not held by a recorded object, but by a variable, a running call or the system's libraries")
    }
    for place in ((try? snapshot.openRetains(of: id)) ?? []).prefix(Self.limit) { lines.append("kept since \(place)") }
    return lines
  }

  /// "Owner#1.property", "the static Cache.shared", "the global cache", in order.
  var holders: [String] {
    let own = snapshot.heap.holders(of: address).map { holder in
      "\(name(holder.address)).\(holder.property)\(through(holder.between))"
    }
    return own + globals
  }

  /// Prefixes of the watching libraries' names: what their own variables keep says nothing about the program.
  private static let ownNames = [
    "Lifeline", "LifelineTesting", "LifelineHeap", "LifelineLifetimes", "LifelineSymbolication", "LifelineTrace",
  ].map { "$s\($0.utf8.count)\($0)" }

  /// Global and static variables that refer to the object without another object in between.
  private var globals: [String] {
    snapshot.heap.globals(holding: address).compactMap { global in
      guard let symbol = snapshot.symbolicator.symbol(at: global.word),
        !Self.ownNames.contains(where: symbol.name.hasPrefix)
      else { return nil }
      let name = snapshot.symbolicator.shortName(symbol.name)
      return (name.hasPrefix("static ") ? "the \(name)" : "the global \(name)") + through(global.between)
    }
  }

  func name(_ address: UInt64) -> String { snapshot.id(at: address)?.description ?? "an object" }

  private func through(_ between: [UInt64]) -> String {
    let closures = between.filter(isClosure)
    return closures.first.map { " through a closure created at \(made($0))" } ?? ""
  }

  private func isClosure(_ address: UInt64) -> Bool { snapshot.heap.isClosure(address) }

  private func made(_ address: UInt64) -> String {
    snapshot.heap.objects[address].map { snapshot.place($0.allocation) } ?? "an unknown place"
  }

  /// "A#1.next → B#1.back → A#1"; storage of arrays and boxes is omitted.
  private func text(_ steps: [(address: UInt64, property: String)]) -> String {
    var parts: [String] = []
    for step in steps {
      if snapshot.heap.isObject(step.address) {
        parts.append("\(name(step.address)).\(step.property)")
      } else if isClosure(step.address) {
        parts.append("closure created at \(made(step.address))")
      }
    }
    return (parts + [name(address)]).joined(separator: " → ")
  }
}
