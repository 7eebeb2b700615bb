import LifelineLifetimes
import LifelineTrace

/// Numbers the functions that retain and release.
///
/// An event's innermost calls, up to one that the programmer wrote, determine the function. Each such sequence is named
/// once: a recursive program has millions of backtraces, and few of these. An event costs one hash look-up if its
/// innermost call determines the function. Its owner must deallocate it.
struct CallerTable {
  private let tells: (BacktraceEntry) -> Bool
  private let name: ([BacktraceEntry]) -> (name: String, isLibrary: Bool)
  /// By the innermost call's word; `more` if further calls are needed.
  private var numbersByCall = AddressTable()
  private var numbersByCalls: [[BacktraceEntry]: Int] = [:]
  private var numbersByName: [String: Int] = [:]
  private var isTelling: [BacktraceEntry: Bool] = [:]
  private(set) var names: [String] = []
  /// The names of functions in libraries.
  private(set) var libraryFunctions: Set<String> = []

  private static let more = -2

  /// - Parameters:
  ///   - tells: whether calls up to this one are enough for `name`.
  ///   - name: names the function, and returns whether it is a library's.
  init(
    tells: @escaping (BacktraceEntry) -> Bool,
    name: @escaping ([BacktraceEntry]) -> (name: String, isLibrary: Bool)
  ) {
    self.tells = tells
    self.name = name
  }

  func deallocate() { numbersByCall.deallocate() }

  /// The number of a backtrace's function; `site` returns its calls, with 0 as the innermost.
  mutating func number(_ site: (Int) -> BacktraceEntry?) -> Int {
    guard let innermost = site(0) else { return number([]) }
    let known = numbersByCall.find(innermost.word)
    if known >= 0 { return known }
    if known == Self.more { return number(beginning(site)) }
    let number = tells(innermost) ? number([innermost]) : Self.more
    numbersByCall.set(innermost.word, to: number)
    return number >= 0 ? number : self.number(beginning(site))
  }

  private mutating func beginning(_ site: (Int) -> BacktraceEntry?) -> [BacktraceEntry] {
    var calls: [BacktraceEntry] = []
    while let call = site(calls.count) {
      calls.append(call)
      if isTelling[call] == nil { isTelling[call] = tells(call) }
      if isTelling[call] == true { break }
    }
    return calls
  }

  private mutating func number(_ calls: [BacktraceEntry]) -> Int {
    if let known = numbersByCalls[calls] { return known }
    let function = name(calls)
    let number = numbersByName[function.name] ?? names.count
    if number == names.count { names.append(function.name) }
    numbersByName[function.name] = number
    numbersByCalls[calls] = number
    if function.isLibrary { libraryFunctions.insert(function.name) }
    return number
  }
}
