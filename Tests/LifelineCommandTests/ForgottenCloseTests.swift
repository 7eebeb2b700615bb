import LifelineTestSupport
import Testing

/// What a leak's finding says of objects that the program did let go.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ForgottenCloseTests {
  private func report(_ source: String, level: String) throws -> String {
    let program = try TestProgram(source, options: [level, "-g", "-module-name", "App"])
    return try withTemporaryFolder { try lifeline(["check", "--no-color", "--", program.path], in: $0).output }
  }

  @Test(
    "Where a program forgets to close one of several, the finding says what released the others",
    arguments: ["-Onone", "-O"])
  func cycle(_ level: String) throws {
    let text = try report(
      """
      final class Session {
        var onEvent: (() -> Void)?
        var events = 0
        @inline(never) func start() { onEvent = { self.events += 1 } }
        @inline(never) func close() { onEvent = nil }
      }
      @inline(never) func serve(_ number: Int) {
        let session = Session()
        session.start()
        session.onEvent?()
        if number != 3 { session.close() }
      }
      for number in 0..<6 { serve(number) }
      """, level: level)
    #expect(text.contains("main.swift:4 has held Session#4 since Session.start() retained it (event "), "\(text)")
    #expect(text.contains("Session#1 was held in the same way"), "\(text)")
    #expect(text.contains(" until Session.close() released it (event "), "\(text)")
  }

  @Test("A reference counted by hand is compared with those that were released", arguments: ["-Onone", "-O"])
  func manual(_ level: String) throws {
    let text = try report(
      """
      final class Ticket { let number: Int; init(_ number: Int) { self.number = number } }
      @inline(never) func enqueue(_ number: Int) -> UnsafeMutableRawPointer {
        Unmanaged.passRetained(Ticket(number)).toOpaque()
      }
      @inline(never) func complete(_ pointer: UnsafeMutableRawPointer) -> Int {
        Unmanaged<Ticket>.fromOpaque(pointer).takeRetainedValue().number
      }
      var sum = 0
      for number in 0..<6 {
        let pointer = enqueue(number)
        if number != 3 { sum += complete(pointer) }
      }
      print(sum)
      """, level: level)
    #expect(text.contains("Ticket#4 is leaked"), "\(text)")
    #expect(text.contains("Ticket#1 was held in the same way until complete(_:) released it (event "), "\(text)")
  }
}
