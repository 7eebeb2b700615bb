import Foundation
import LifelineTestSupport
@testable import LifelineSymbolication
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct StoredPropertyTests {
  private static let source = """
    protocol ScreenDelegate: AnyObject {}
    class Screen: ScreenDelegate { var rows = [1]; struct Part { var x = 1 } }
    final class Loader {
      unowned(unsafe) var delegate: Screen
      unowned(unsafe) var optional: Screen?
      unowned let owner: Screen
      weak var observer: (any ScreenDelegate)?
      var screen: Screen!
      var list: [Screen] = []
      var table: [String: Screen] = [:]
      var number = 5
      var unmanaged: Unmanaged<Screen>?
      var plain: Unmanaged<Screen>
      var handler: ((Screen) -> Void)?
      var stream: AsyncStream<Screen>?
      init(_ screen: Screen) { delegate = screen; owner = screen; plain = .passUnretained(screen) }
    }
    final class Detail: Screen {}
    enum Space { final class Inner { var next: Inner? } }
    print(Loader(Screen()).number, Space.Inner().next == nil)
    """

  @Test("Metadata of classes provides where their own properties lie in their objects", arguments: ["-Onone", "-O"])
  func offsets(_ level: String) throws {
    let source = """
      class Screen { var rows = [1] }
      final class Window: Screen {
        var isOpen = true
        var small: Int16 = 2
        var first: Screen?
        var pair: (Screen?, Int) = (nil, 1)
        var handler: (() -> Void)?
        var last: Screen?
      }
      final class Stack<Value> { var value: Value; var next: Stack?; init(_ value: Value) { self.value = value } }
      print(Window().last == nil, Stack(1).next == nil)
      """
    let program = try CompiledProgram(source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    let all = PropertyTable(try ELFFile(path: program.path)).properties
    func offsets(_ name: String) -> [String?] {
      (all[name] ?? []).map { "\($0.name) \($0.offset.map(String.init) ?? "-")" }
    }
    #expect(offsets("App.Screen") == ["rows 16"])
    #expect(
      offsets("App.Window") == ["isOpen 24", "small 26", "first 32", "pair 40", "handler 56", "last 72"])
    #expect(offsets("App.Stack") == ["value -", "next -"])
  }

  @Test(
    "Reflection metadata provides each stored property, its kind of reference and its types",
    arguments: ["-Onone", "-O"])
  func properties(_ level: String) throws {
    let program = try CompiledProgram(Self.source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    let table = PropertyTable(try ELFFile(path: program.path))
    #expect(table.superclasses == ["App.Detail": "App.Screen"])
    let all = table.properties
    let loader = try #require(all["App.Loader"])
    #expect(
      loader.map {
        "\($0.name) \($0.strength.rawValue) "
          + "\($0.typeNames.joined(separator: ","))\($0.isExistential ? " existential" : "")"
      } == [
        "delegate unowned(unsafe) App.Screen",
        "optional unowned(unsafe) App.Screen",
        "owner unowned App.Screen",
        "observer weak App.ScreenDelegate existential",
        "screen strong App.Screen",
        "list strong App.Screen",
        "table strong App.Screen",
        "number strong ",
        "unmanaged unmanaged App.Screen",
        "plain unmanaged App.Screen",
        "handler strong ",
        "stream strong App.Screen",
      ])
    // The standard library decides on the layout of a stream when the program runs.
    #expect(loader.allSatisfy { $0.offset == nil })
    #expect(all["App.Screen"]?.map(\.name) == ["rows"])
    #expect(all["App.Space.Inner"]?.first?.typeNames == ["App.Space.Inner"])
    #expect(all["App.Screen.Part"] == nil, "structs have no identity of their own")
  }

  @Test(
    "A tracked reference is listed as the property that it wraps, with its kind of reference",
    arguments: ["-Onone", "-O"])
  func tracked(_ level: String) throws {
    let source = """
      @propertyWrapper struct TrackedWeak<Value> { weak var object: AnyObject?; var wrappedValue: Value\
      ? { get { object as? Value } set { object = newValue as AnyObject } } }
      @propertyWrapper struct TrackedUnownedUnsafe<Value> { var wrappedValue: Value }
      protocol Delegate: AnyObject {}
      final class Detail {
        @TrackedWeak var parent: Detail?
        @TrackedUnownedUnsafe var delegate: (any Delegate)? = nil
        var _weak: Detail?
      }
      print(Detail().parent == nil)
      """
    let program = try CompiledProgram(source, options: [level, "-module-name", "Lifeline"])
    defer { program.remove() }
    let detail = try #require(PropertyTable(try ELFFile(path: program.path)).properties["Lifeline.Detail"])
    #expect(
      detail.map {
        "\($0.name) \($0.strength.rawValue) "
          + "\($0.typeNames.joined(separator: ","))\($0.isExistential ? " existential" : "")"
      } == [
        "parent weak Lifeline.Detail", "delegate unowned(unsafe) Lifeline.Delegate existential",
        "_weak strong Lifeline.Detail",
      ])
  }

  @Test(
    "A property refers to everything that its value keeps, and to nothing that another object keeps",
    arguments: [
      "-Onone", "-O",
    ])
  func kept(_ level: String) throws {
    let source = """
      import Dispatch
      protocol Named {}
      protocol Listed: Named {}
      class Token: Listed {}
      final class Special: Token {}
      class Pool<Element> { var elements: [Element] = [] }
      final class Till: Pool<Token> {}
      struct Purse { var name = ""; var token: Token?; var done: (() -> Void)? }
      enum Tree { case leaf(Purse), none }
      final class Vault {
        lazy var first = Token()
        var pool: Pool<Token>?
        var pools: [String: Pool<Void>] = [:]
        weak var spare: Pool<Token>?
        var purses: [Purse] = []
        var listed: [any Listed] = []
        var tree = Tree.none
      }
      print(Vault().first, Pool<Int>().elements.count, Till(), Special())
      """
    let program = try CompiledProgram(source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    let table = PropertyTable(try ELFFile(path: program.path))
    let vault = try #require(table.properties["App.Vault"])
    #expect(
      vault.map { "\($0.name) \($0.strength.rawValue) \($0.typeNames.joined(separator: ","))" } == [
        "first strong App.Token", "pool strong App.Pool", "pools strong App.Pool", "spare weak App.Pool",
        "purses strong App.Purse,App.Token", "listed strong App.Listed", "tree strong App.Tree,App.Purse,App.Token",
      ])
    #expect(vault.map(\.isFunction) == [false, false, false, false, true, false, true])
    #expect(vault[5].protocols == ["App.Listed"])
    #expect(table.properties["App.Pool"]?.map(\.isParameter) == [true])
    #expect(table.conformances["App.Token"] == ["App.Listed", "App.Named"])
    #expect(table.superclasses["App.Till"] == "App.Pool")
    #expect(table.superclassArguments == ["App.Token"])
  }

  @Test("A property that never holds an object of the program is known", arguments: ["-Onone", "-O"])
  func plain(_ level: String) throws {
    let source = """
      import Foundation
      class Token {}
      struct Seat { unowned(unsafe) var token: Token?; var row = 1 }
      struct Purse { var token: Token? }
      enum Mode { case on, off }
      final class Vault {
        var number = 1, text = "", list: [String: [Int32]] = [:], pair: (Double?, Date) = (nil, Date())
        let lock = NSLock(), queue = DispatchQueue(label: "q")
        var seats: [Seat] = [], mode = Mode.on
        var token: Token?, purse = Purse(), anything: Any = 1, handler: (() -> Void)?, box = NSMutableArray()
      }
      print(Vault().number)
      """
    let program = try CompiledProgram(source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    let vault = try #require(PropertyTable(try ELFFile(path: program.path)).properties["App.Vault"])
    #expect(
      vault.filter { $0.isPlain && $0.strength == .strong }.map(\.name) == [
        "number", "text", "list", "pair", "lock", "queue", "seats", "mode",
      ])
    #expect(vault.filter(\.isConstant).map(\.name) == ["lock", "queue"])
  }

  @Test("What closures capture without counting it is known, also in structs", arguments: ["-Onone", "-O"])
  func captures(_ level: String) throws {
    let source = """
      class Token { var uses = 0 }
      class Other { var uses = 0 }
      class Third { var uses = 0 }
      class Kept { var uses = 0 }
      struct Hand { let object: Unmanaged<Third> }
      @inline(never) func keep(_ body: @escaping () -> Void) { bodies.append(body) }
      nonisolated(unsafe) var bodies: [() -> Void] = []
      @inline(never) func capture(_ token: Token, _ other: Other, _ third: Hand, _ kept: Kept, _ number: Int) {
        keep { [unowned(unsafe) token] in token.uses += number }
        keep { [unowned other] in other.uses += number }
        keep { third.object.takeUnretainedValue().uses += number }
        keep { [weak kept] in kept?.uses += number }
        keep { kept.uses += number }
      }
      let token = Token(), other = Other(), third = Third(), kept = Kept()
      capture(token, other, Hand(object: .passUnretained(third)), kept, 2)
      for body in bodies { body() }
      """
    let program = try CompiledProgram(source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    let captures = PropertyTable(try ELFFile(path: program.path)).uncountedCaptures
    let found = Set(captures.map { "\($0.strength.rawValue) \($0.typeNames.joined(separator: ","))" })
    #expect(found == ["unowned(unsafe) App.Token", "unowned App.Other", "unmanaged App.Third"])
  }

  @Test(
    "A generic struct with a non-owning reference does not keep the object; its property has the kind of reference",
    arguments: ["-Onone", "-O"])
  func referring(_ level: String) throws {
    let source = """
      class Token {}
      struct Weak<T: AnyObject> { weak var object: T? }
      @propertyWrapper struct Unsafe<T: AnyObject> { unowned(unsafe) var object: T?; var wrappedValue: T? { object } }
      struct Hand<T: AnyObject> { let object: Unmanaged<T> }
      struct Table<T: AnyObject> { var weak: [Weak<T>] = []; var hands: [Int: Hand<T>] = [:] }
      struct Both<T: AnyObject> { unowned(unsafe) var last: T?; var all: [T] = [] }
      struct Lazy<T: AnyObject> { weak var object: T?; var make: () -> T? = { nil } }
      final class Vault {
        var weak: [Weak<Token>] = []
        @Unsafe(object: nil) var token: Token?
        var hand: Hand<Token>?
        var table = Table<Token>()
        var both = Both<Token>()
        var lazy = Lazy<Token>()
        var mixed: (Weak<Token>, Token)?
      }
      print(Vault().weak.count, Vault().mixed == nil)
      """
    let program = try CompiledProgram(source, options: [level, "-module-name", "App"])
    defer { program.remove() }
    let table = PropertyTable(try ELFFile(path: program.path))
    let vault = try #require(table.properties["App.Vault"])
    #expect(
      vault.map { "\($0.name) \($0.strength.rawValue) \($0.typeNames.joined(separator: ","))" } == [
        "weak strong App.Weak", "_token strong App.Unsafe", "hand strong App.Hand",
        "table strong App.Table,App.Weak,App.Hand", "both strong App.Both,App.Token", "lazy strong App.Lazy,App.Token",
        "mixed strong App.Weak,App.Token", "_token.object unowned(unsafe) App.Token", "hand.object unmanaged App.Token",
        "table.hands.object unmanaged App.Token", "both.last unowned(unsafe) App.Token",
      ])
    #expect(
      table.referringValues.mapValues { $0.map(\.name) } == [
        "App.Unsafe": ["object"], "App.Hand": ["object"], "App.Both": ["last"],
      ])
  }

  @Test(
    "What the macro @Observable stores has its name in the source; other properties keep theirs",
    arguments: [["-Onone"], ["-O"], ["-O", "-wmo"], ["-O", "-g"], ["-O", "-wmo", "-g"]])
  func observable(_ options: [String]) throws {
    let source = """
      import Observation
      @Observable final class Folder {
        weak var parent: Folder?
        @ObservationIgnored var _badge = ""
        var badge: String {
          get { access(keyPath: \\.badge); return _badge }
          set { withMutation(keyPath: \\.badge) { _badge = newValue } }
        }
      }
      let folder = Folder()
      folder.parent = folder
      folder.badge = CommandLine.arguments[0]
      print(folder.badge, folder.parent != nil)
      """
    let program = try CompiledProgram(source, options: options + ["-module-name", "App"])
    defer { program.remove() }
    let symbolicator = Symbolicator(images: [try program.image()])
    let names = try #require(symbolicator.storedProperties()["App.Folder"]).map(\.name)
    #expect(names.contains("_badge") && !names.contains("badge"))
    let hasDebugInformation = options.contains("-g")
    #expect(names.contains(hasDebugInformation || !options.contains("-wmo") ? "parent" : "_parent"))
    #expect(symbolicator.observedProperties() == (names.contains("parent") ? ["App.Folder.parent"] : []))
  }

  @Test("A program without reflection metadata has no stored properties")
  func nothing() throws {
    let program = try CompiledProgram(Self.source, options: ["-disable-reflection-metadata", "-module-name", "App"])
    defer { program.remove() }
    #expect(PropertyTable(try ELFFile(path: program.path)).properties["App.Loader"] == nil)
  }

  @Test("Damaged metadata is read without a crash")
  func damaged() throws {
    let program = try CompiledProgram(Self.source, options: ["-module-name", "App"])
    defer { program.remove() }
    let original = try Data(contentsOf: URL(fileURLWithPath: program.path))
    let copy = program.path + ".damaged"
    var state: UInt64 = 42
    for _ in 0..<60 {
      var bytes = original
      for _ in 0..<2000 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // Past the ELF header, so that most copies are still files with sections.
        bytes[64 + Int(state >> 33) % (bytes.count - 64)] = UInt8(truncatingIfNeeded: state >> 24)
      }
      try bytes.write(to: URL(fileURLWithPath: copy))
      if let file = try? ELFFile(path: copy) { #expect(PropertyTable(file).properties.count < 100_000) }
    }
  }
}
