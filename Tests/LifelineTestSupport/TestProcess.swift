import CTestProcess
import Foundation
import Synchronization

/// A program started by a test, which never outlives its limit and is ended with everything it started.
///
/// It leads its own session. When it has ended, or its limit is reached, the rest of that session is killed, including
/// children that changed their process group, as those of `swift test` do.
public final class TestProcess: Sendable {
  public let identifier: pid_t
  private let name: String
  private let limit: Duration
  private let isAtLimit = Mutex(false)

  /// Starts a program; standard input is empty. A name without a slash is looked up in PATH.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = ProcessInfo.processInfo.environment,
    folder: String? = nil, output: String = "/dev/null", errors: String = "/dev/null", limit: Duration
  ) throws {
    if QuickRun.isOn { throw TestProcessError("a test without the trait .startsPrograms starts \(program)") }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let child = test_process_start(program, &words, &variables, folder, output, errors)
    guard child > 0 else {
      throw TestProcessError("\(program) cannot be started: \(String(cString: strerror(-child)))")
    }
    identifier = child
    name = ([program] + arguments).joined(separator: " ")
    self.limit = limit
    StartedProcesses.add(child)
  }

  public func send(_ signal: Int32) { kill(identifier, signal) }

  /// Waits until the program has ended, and ends what it left running.
  ///
  /// - Returns: The exit status, or 128 + signal number.
  /// - Throws: `TestProcessError` if the limit was reached.
  public func wait() throws -> Int32 {
    let watch = DispatchWorkItem { [self] in
      isAtLimit.withLock { $0 = true }
      endSession()
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + Double(limit.components.seconds), execute: watch)
    var information = siginfo_t()
    // The process stays a zombie until it is reaped below, so its ID is not reused in the meantime.
    while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    watch.cancel()
    endSession()
    StartedProcesses.remove(identifier)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
    if isAtLimit.withLock({ $0 }) { throw TestProcessError("still ran after \(limit) and was killed: \(name)") }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Kills the rest of the session, repeatedly in case something forks faster than it is found.
  private func endSession() {
    for _ in 0..<20 {
      let left = Self.processes(inSession: identifier)
      if left.isEmpty { return }
      for process in left { kill(process, SIGKILL) }
      usleep(1000)
    }
  }

  /// The running processes of a session.
  static func processes(inSession session: pid_t) -> [pid_t] {
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return entries.compactMap { pid_t($0) }.filter { process in
      guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return false }
      // proc(5): after the name in parentheses come state, parent, process group, session.
      let text = String(decoding: data, as: UTF8.self)
      guard let end = text.lastIndex(of: ")") else { return false }
      let fields = text[text.index(after: end)...].split(separator: " ")
      return fields.count > 3 && fields[0] != "Z" && fields[0] != "X" && fields[3] == String(session)
    }
  }
}

public struct TestProcessError: Error, CustomStringConvertible {
  public let description: String
  public init(_ description: String) { self.description = description }
}
