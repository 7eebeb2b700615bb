import Foundation
import LifelineAnalysis
import LifelineLifetimes
import LifelineReporting
import LifelineSymbolication
import LifelineTrace
import Synchronization

/// Reads one object's history from a trace, on a thread of its own.
final class LiveHistory: Sendable {
  private let address: UInt64
  private let width: Int
  private let files: @Sendable () -> SymbolFiles
  private let lines = Mutex<[String]?>(nil)
  private let isRead = Mutex(false)

  private init(address: UInt64, width: Int, files: @escaping @Sendable () -> SymbolFiles) {
    (self.address, self.width, self.files) = (address, width, files)
  }

  /// The lines, once available.
  func take() -> [String]? {
    lines.withLock { lines in
      defer { lines = nil }
      return lines
    }
  }

  /// Starts reading the history of the object allocated last at an address.
  static func start(
    _ path: String, address: UInt64, rules: HoldRules, width: Int, files: @escaping @Sendable () -> SymbolFiles
  ) -> LiveHistory {
    let history = LiveHistory(address: address, width: width, files: files)
    let thread = Thread {
      let text: String
      do { text = try read(path, address, rules, width, files()) } catch { text = "\(error)" }
      history.lines.withLock { $0 = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
      history.isRead.withLock { $0 = true }
    }
    thread.stackSize = 8 << 20
    thread.start()
    return history
  }

  /// The history of the same object in lines of another width, once it was read.
  func fitting(_ width: Int, _ path: String, rules: HoldRules) -> LiveHistory {
    guard width != self.width, isRead.withLock({ $0 }) else { return self }
    return Self.start(path, address: address, rules: rules, width: width, files: files)
  }

  private static func read(
    _ path: String, _ address: UInt64, _ rules: HoldRules, _ width: Int, _ files: SymbolFiles
  ) throws -> String {
    let trace = try Trace(path: path)
    let names = Names(trace, files: files)
    let summary = try LifetimeSummary(trace)
    guard let object = try ObjectQuery("0x" + String(address, radix: 16)).resolve(in: trace, summary).last else {
      return "No recorded object is at this address."
    }
    let reading = try LifetimeReader(trace, summary, objects: [object], names: names, rules: rules)
    let format = HistoryFormat(trace, names: names, summary: summary, backtraces: reading.backtraces, width: width)
    return reading.lifetimes.map(format.render).joined(separator: "\n").wrapped(to: width)
  }
}
