import LifelineTestSupport
import Testing

/// A closure of one class that the optimizer put into the method of another one that runs it.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct InlinedClosureTests {
  private static let source = """
    import Foundation
    class Token: @unchecked Sendable { var uses = 0; @inline(never) func use() { uses += 1 } }
    final class Ledger: @unchecked Sendable {
      private let lock = NSLock()
      private var token: Unmanaged<Token>?
      @inline(never) func spend() { token?.takeUnretainedValue().use() }
      @inline(never) func note(_ new: Token) { token = .passUnretained(new) }
      @inline(never) func withLock(_ body: () -> Void) { lock.lock(); body(); lock.unlock() }
    }
    final class Wallet: @unchecked Sendable {
      var token: Token?
      let ledger: Ledger
      @inline(never) init(_ ledger: Ledger) { self.ledger = ledger }
      @inline(never) func put(_ new: Token) { token = new; ledger.note(new) }
      @inline(never) func revoke() { ledger.withLock { token = nil } }
    }
    @inline(never) func makeToken() -> Token { Token() }
    let ledger = Ledger(), wallet = Wallet(ledger)
    wallet.put(makeToken())
    ledger.spend()
    wallet.revoke()
    ledger.spend()
    print("end")
    """

  @Test("The class of the method is not said to count references by hand", arguments: ["-Onone", "-O"])
  func notCounted(_ level: String) throws {
    let program = try TestProgram(Self.source, options: ["-g", level, "-module-name", "App"])
    let report = try withTemporaryFolder { folder in
      try CommandResult.run(BuiltPackage.lifeline, ["check", "--depth", "full", "--", program.path], folder: folder)
    }
    #expect(report.output.contains("Token#1 was messaged"))
    // In optimized code nothing near the call need refer to the ledger, which then is only what may have been used.
    #expect(
      report.output.contains("Keep a weak reference in Ledger.token instead of an Unmanaged")
        || level == "-O" && report.output.contains("If Ledger.token, an unmanaged reference, was used, keep a weak "),
      "\(report.output)")
    #expect(!report.output.contains("which has only a pointer to it"))
    #expect(!report.output.contains("Unmanaged.release()"), "\(report.output)")
  }
}
