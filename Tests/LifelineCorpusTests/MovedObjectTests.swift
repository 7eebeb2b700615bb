import LifelineReporting
import LifelineTestSupport
import Testing

/// Objects that move from one property to another.
@Suite(.startsPrograms) struct MovedObjectTests {
  private static let source = """
    final class Note { var text = 1; func read() { text += 1 } }
    class Desk {
      var drawer: Note?
      var tray: Any?
      func take(_ note: Note) { tray = note }
      func file() { drawer = nil }
      func empty() { tray = nil }
    }
    @inline(never) func write(_ desk: Desk) { let note = Note(); note.read(); desk.drawer = note }
    @inline(never) func lay(_ desk: Desk) { desk.take(desk.drawer!) }
    let desk = Desk()
    write(desk)
    lay(desk)
    desk.file()
    (desk.tray as! Note).read()
    desk.empty()
    print("end")
    """

  @Test("The history says of each property from when to when it had the object")
  func moved() throws {
    let program = try TestProgram(Self.source, options: ["-g", "-Onone", "-module-name", "Moved"])
    let holds = try LifetimeRun(program, "Note#1").timeline.holds.filter { $0.sort == "owner" }
    #expect(holds.map(\.holder) == ["Desk#1.drawer", "Desk#1.tray"])
    #expect(holds.map(\.function) == ["Note.__allocating_init()", "Desk.take(_:)"])
    #expect(holds.map(\.endFunction) == ["Desk.drawer.setter", "Desk.tray.setter"])
  }

  @Test("An object that a lazy property's getter creates is in that property")
  func lazily() throws {
    let source = """
      final class Note { var text = 1; @inline(never) func read() { text += 1 } }
      class Desk {
        lazy var draft: Note? = Note()
        var tray: Any?
        func lay(_ note: Note) { tray = note }
        func finish() { draft = nil }
      }
      let desk = Desk()
      desk.draft?.read()
      desk.lay(desk.draft!)
      desk.finish()
      (desk.tray as! Note).read()
      print("end")
      """
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "Lazy"])
    let holds = try LifetimeRun(program, "Note#1").timeline.holds.filter { $0.sort == "owner" }
    #expect(holds.first?.holder == "Desk#1.draft" && holds.first?.function == "Note.__allocating_init()")
    #expect(holds.first?.endFunction == "Desk.draft.setter" && holds.count { $0.isOpen } == 1)
  }

  @Test("An object that another one's initializer stores is in that property, whatever is taken out of it later")
  func boxed() throws {
    let source = """
      final class Note { var text = 1; @inline(never) func read() { text += 1 } }
      final class Box { var note: Note?; init(_ note: Note) { self.note = note } }
      class Desk {
        let note: Note?
        var box: Box?
        init(_ note: Note?) { self.note = note }
        func get() -> Note? { note }
        func pack(_ note: Note) { box = Box(note) }
      }
      @inline(never) func open() -> Desk { let note = Note(); return Desk(note) }
      @inline(never) func fill(_ desk: Desk) { let note = desk.get()!; note.read(); desk.pack(note) }
      let desk = open()
      fill(desk)
      desk.box = nil
      desk.note?.read()
      print("end")
      """
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "Boxed"])
    let holds = try LifetimeRun(program, "Note#1").timeline.holds.filter { $0.sort == "owner" }
    let box = try #require(holds.first { $0.holder == "Box#1.note" })
    #expect(box.function == "Desk.pack(_:)" && box.endFunction == "Box.deinit")
    #expect(holds.filter(\.isOpen).map(\.function) == ["Note.__allocating_init()"])
  }
}
