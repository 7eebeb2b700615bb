import CInstructionCounter
import Foundation
import LifelineTestSupport

/// Counts the instructions of a run with the processor's counter or, if the kernel does not allow that, in valgrind.
///
/// The two agree except for differences in libc, and neither depends on the machine's load.
struct InstructionCounter {
  enum Method { case processor, valgrind }

  /// The method available on this machine; the processor if possible.
  static let available: Method = {
    (try? count(["/bin/true"], method: .processor)) == nil ? .valgrind : .processor
  }()

  static func count(_ command: [String], environment: [String: String] = [:], method: Method = available) throws -> Int
  {
    switch method {
    case .processor: try countByProcessor(command, environment, isRefused: false)
    case .valgrind: try countByValgrind(command, environment)
    }
  }

  /// - Parameter isRefused: Acts as if the kernel had no counter.
  static func countByProcessor(_ command: [String], _ environment: [String: String], isRefused: Bool) throws -> Int {
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let count = instruction_count(&words, &variables, 300, isRefused ? 1 : 0)
    if count == -1 {
      throw InstructionCounterError(description: "The kernel or the machine does not allow counting instructions.")
    }
    guard count >= 0 else { throw InstructionCounterError(description: "\(command) failed.") }
    return Int(count)
  }

  private static func countByValgrind(_ command: [String], _ environment: [String: String]) throws -> Int {
    let options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
    let result = try TestTool.valgrind.run(options + command, environment: environment)
    guard result.status == 0, let match = result.errors.firstMatch(of: /Collected : ([0-9]+)/), let count = Int(match.1)
    else {
      throw InstructionCounterError(description: "valgrind \(command) ended with \(result.status):\n\(result.errors)")
    }
    return count
  }
}

struct InstructionCounterError: Error, CustomStringConvertible {
  let description: String
}
