/// The code that made a retain or release: its backtrace without the runtime's and the compiler's frames.
struct CallSite {
  /// The innermost of the program's own functions, with its parsed name; nil if there is none.
  let function: CodeFrame?
  let name: ParsedFunctionName?
  /// Whether it is the program's main function, or was inlined into it, and so runs as long as the program.
  let isMain: Bool
  /// The library function that acted by itself; nil if the program's own code called the runtime.
  let library: CodeFrame?
  /// The rule whose activity made the retain or release.
  let rule: HoldRule?
  /// Whether the program's own code ended an operation or a work item, which released what its closure had captured, or
  /// ran or changed it.
  let endsItem: Bool
  /// Whether a post released the reference with the information of its notification, and so had been given it.
  let isOfNotification: Bool
  /// Number of sites from the outermost one up to and including the call of the activity.
  let depth: Int
  /// The rule whose activity runs the closure that the function is.
  let runner: HoldRule?
  /// The rules whose activities are anywhere in the backtrace, one bit each.
  let around: UInt64
  /// The innermost of those activities, and its `depth`.
  let activity: (rule: HoldRule, depth: Int)?
  let role: ParsedFunctionName.Role?
  /// The parsed name of the next function of the program's own outside of `function`.
  let caller: ParsedFunctionName?
  /// Whether the function is one for C, a closure for example, which the compiler wraps in an entry point.
  let isForC: Bool
  /// Whether the function itself called the runtime: no method of a library's type is in between.
  let isDirect: Bool
  /// Whether it concerned an element of an array, a dictionary or a set.
  let isInCollection: Bool
  /// Whether `Unmanaged` made it, so the reference is counted manually.
  let isUnmanaged: Bool

  /// `facts` has the functions of each site, innermost first.
  init(_ facts: [[FrameFacts]], _ rules: HoldRules) {
    let steps = facts.enumerated().flatMap { site, frames in frames.map { (site: site, facts: $0) } }
    let first = steps.firstIndex { !$0.facts.isLibrary && $0.facts.isMeaningful } ?? steps.count
    let inside = steps[..<first].filter { $0.facts.isMeaningful || $0.facts.isLibrary }
    let matching = inside.filter { $0.facts.rules != 0 }
    let endsItem =
      first < steps.count && !matching.isEmpty
      && (matching.allSatisfy(\.facts.isItemEnd) || Self.isItemCall(inside.map(\.facts)))
    self.endsItem = endsItem
    let match = endsItem ? nil : Self.match(inside.map(\.facts.rules))
    function = first < steps.count ? steps[first].facts.frame : nil
    name = first < steps.count ? steps[first].facts.name : nil
    isMain =
      first < steps.count
      && facts[steps[first].site].last.map { $0.frame.function == "main" } ?? false
    let acting = inside.filter { $0.facts.isMeaningful && !$0.facts.isStandard }
    // The library function that the program called says most; if it called none, the one that acted.
    library = (first < steps.count ? acting.last : acting.first)?.facts.frame
    rule = match.map { rules.rules[$0.rule] }
    let acted = steps[..<first].prefix { $0.facts.rules == 0 }.map(\.facts.frame.function)
    let contents = acted.firstIndex(of: "_swift_release_dealloc") ?? acted.count
    isOfNotification = acted[contents...].contains("outlined destroy of Notification")
    // An inlined function shares its site with the function that called it.
    func depth(_ site: Int) -> Int { facts.count - site - (facts[site].contains { !$0.isLibrary } ? 0 : 1) }
    self.depth = match.map { depth(inside[inside.startIndex + $0.index].site) } ?? 0
    let outer = steps.dropFirst(first + 1).first { !$0.facts.isLibrary && $0.facts.isMeaningful }?.facts
    caller = outer?.name
    let own = function?.mangledName
    isForC = own.map { $0.hasSuffix("To") || outer?.frame.mangledName == $0 + "To" } ?? false
    isInCollection = inside.contains { $0.facts.isCollection }
    isUnmanaged = inside.contains { $0.facts.isLibrary && $0.facts.name.typeName == "Unmanaged" }
    isDirect = !inside.contains { $0.facts.isLibrary && ![nil, "Unmanaged"].contains($0.facts.name.typeName) }
    role = Self.role(steps[..<first].map(\.facts))
    let beyond = steps.dropFirst(first + 1).filter { $0.facts.isLibrary || $0.facts.isMeaningful }.prefix {
      $0.facts.isLibrary
    }
    let isRunByItem = outer != nil && Self.isItemCall(beyond.map(\.facts))
    let running = name?.isClosure == true && !isRunByItem ? Self.match(beyond.map(\.facts.rules)) : nil
    runner = running.map { rules.rules[$0.rule] }
    let outside = endsItem ? steps[first...] : steps[...]
    around = outside.reduce(0) { $0 | $1.facts.rules }
    // An activity is a run of functions matched by one rule; its call is the outermost of them.
    let begin = outside.firstIndex { $0.facts.rules != 0 } ?? steps.count
    let run = steps[begin...].prefix { !$0.facts.isMeaningful || $0.facts.isLibrary }
    activity = Self.match(run.map(\.facts.rules)).map {
      (rules.rules[$0.rule], depth(run[run.startIndex + $0.index].site))
    }
  }

  /// Whether functions of libraries, of which the program called the last one, run or change an operation or a work
  /// item that the program has, and do nothing else that a rule names.
  private static func isItemCall(_ functions: [FrameFacts]) -> Bool {
    guard let call = functions.last, call.isItemCall else { return false }
    return functions.allSatisfy { $0.rules == 0 || $0.rules & call.rules != 0 }
  }

  /// The role of a closure's or block's helper; if that ended in a tail call, the blocks runtime that called it shows
  /// the role.
  private static func role(_ inside: [FrameFacts]) -> ParsedFunctionName.Role? {
    if let role = inside.first(where: { [.blockCopy, .contextDestroy].contains($0.name.role) })?.name.role {
      return role
    }
    return switch inside.first(where: \.isMeaningful)?.frame.function {
    case "_Block_copy": .blockCopy
    case "_Block_release": .contextDestroy
    default: nil
    }
  }

  /// The rule matched by the innermost function that any rule matches, and the outermost function of that rule.
  private static func match(_ masks: [UInt64]) -> (rule: Int, index: Int)? {
    guard let rule = masks.first(where: { $0 != 0 })?.trailingZeroBitCount else { return nil }
    return (rule, masks.lastIndex { $0 & 1 << UInt64(rule) != 0 }!)
  }
}
