/// The state of the screen while watching: pages, sorting, filter, mark and selection. It does no input or output.
public struct LiveScreen: Sendable, Equatable {
  public enum Sort: String, Sendable, CaseIterable {
    case live, growth, bytes, allocations, retains, name
  }

  /// What the owner of the trace must do.
  public enum Request: Sendable, Equatable {
    case quit
    /// Show where a class's objects come from.
    case open(String)
    /// Read the history of an object; `show(history:)` takes the result.
    case history(LiveSnapshot.Object)
  }

  enum Page: Sendable, Equatable {
    case classes, owner, history, help
  }

  public private(set) var snapshot = LiveSnapshot()
  /// Of the open class.
  public private(set) var detail: LiveDetail?
  private(set) var page = Page.classes
  private(set) var sort = Sort.live
  private(set) var filter = ""
  private(set) var isFiltering = false
  /// Live objects by class at the last mark, and the mark's number; the first mark is the start.
  private(set) var mark: [String: Int] = [:]
  private(set) var markNumber = 0
  /// The selected class, and whether the user selected it; by default it is the first one.
  private(set) var choice: String?
  private(set) var chosenObject = 0
  var top = 0
  private(set) var history: [String] = []
  private(set) var scroll = 0
  private(set) var pageLength = 10

  public init() {}

  /// The open class, whose details are needed.
  public var openClass: String? { page == .classes || page == .help ? nil : detail?.className }

  /// Whether an object's history is open.
  public var showsHistory: Bool { page == .history }

  public mutating func show(_ snapshot: LiveSnapshot) { self.snapshot = snapshot }

  public mutating func show(_ detail: LiveDetail) {
    guard self.detail?.className == detail.className else { return }
    self.detail = detail
    chosenObject = min(chosenObject, max(0, detail.objects.count - 1))
  }

  public mutating func show(history lines: [String]) {
    history = lines
    scroll = min(scroll, max(0, lines.count - 1))
  }

  /// The number of objects that a class gained since the mark.
  func growth(_ row: LiveRow) -> Int { row.live - mark[row.name, default: 0] }

  /// The classes that pass the filter, sorted.
  public var rows: [LiveRow] {
    let wanted = filter.lowercased()
    let rows = filter.isEmpty ? snapshot.rows : snapshot.rows.filter { $0.name.lowercased().contains(wanted) }
    if sort == .name { return rows }
    let keys = rows.map { row -> Double in
      switch sort {
      case .live: Double(row.live)
      case .growth: Double(growth(row))
      case .bytes: Double(row.bytes)
      case .allocations: snapshot.rates[row.name].allocations
      case .retains: snapshot.rates[row.name].retains
      case .name: 0
      }
    }
    return rows.indices.sorted { (keys[$1], rows[$0].name) < (keys[$0], rows[$1].name) }.map { rows[$0] }
  }

  /// Handles a key; `height` is the screen's.
  public mutating func press(_ key: LiveKey, height: Int = 24) -> Request? {
    pageLength = max(1, height - 8)
    if isFiltering {
      type(key)
      return nil
    }
    if key == .character("q") { return .quit }
    switch page {
    case .help: page = .classes
    case .history: read(key)
    case .owner: return pressInClass(key)
    case .classes: return pressInClasses(key)
    }
    return nil
  }

  private mutating func type(_ key: LiveKey) {
    switch key {
    case .enter: isFiltering = false
    case .leave:
      isFiltering = false
      filter = ""
    case .back: _ = filter.popLast()
    case .character(let character) where filter.utf8.count < 200: filter.append(character)
    default: break
    }
  }

  private mutating func pressInClasses(_ key: LiveKey) -> Request? {
    switch key {
    case .character("s"): sort = Sort.allCases[(Sort.allCases.firstIndex(of: sort)! + 1) % Sort.allCases.count]
    case .character("/"): isFiltering = true
    case .character("m"): setMark()
    case .character("?"): page = .help
    case .leave: filter = ""
    case .enter:
      guard let name = chosen?.name else { return nil }
      detail = LiveDetail(className: name)
      chosenObject = 0
      page = .owner
      return .open(name)
    default: move(key)
    }
    return nil
  }

  private mutating func setMark() {
    mark = Dictionary(snapshot.rows.map { ($0.name, $0.live) }, uniquingKeysWith: +)
    markNumber += 1
  }

  /// The row that Enter opens.
  var chosen: LiveRow? {
    let rows = rows
    return rows.first { $0.name == choice } ?? rows.first
  }

  private mutating func move(_ key: LiveKey) {
    let rows = rows
    guard !rows.isEmpty else { return }
    let place = rows.firstIndex { $0.name == choice } ?? 0
    let next = Self.moved(place, key, by: pageLength, last: rows.count - 1)
    choice = rows[next].name
  }

  private mutating func pressInClass(_ key: LiveKey) -> Request? {
    let objects = detail?.objects ?? []
    switch key {
    case .leave, .back:
      page = .classes
      detail = nil
    case .enter, .character("h"):
      guard objects.indices.contains(chosenObject) else { return nil }
      page = .history
      history = ["Reading …"]
      scroll = 0
      return .history(objects[chosenObject])
    default: chosenObject = Self.moved(chosenObject, key, by: pageLength, last: max(0, objects.count - 1))
    }
    return nil
  }

  private mutating func read(_ key: LiveKey) {
    switch key {
    case .leave, .back: page = .owner
    default: scroll = Self.moved(scroll, key, by: pageLength, last: max(0, history.count - 1))
    }
  }

  private static func moved(_ place: Int, _ key: LiveKey, by page: Int, last: Int) -> Int {
    let next =
      switch key {
      case .up, .character("k"): place - 1
      case .down, .character("j"): place + 1
      case .pageUp: place - page
      case .pageDown, .character(" "): place + page
      case .home, .character("g"): 0
      case .end, .character("G"): last
      default: place
      }
    return min(max(next, 0), last)
  }
}
