import ArgumentParser
import LifelineExport
import LifelineGate
import LifelineRecording
import LifelineTrace

/// Turns errors that stop a command into one sentence.
enum Failure {
  /// Does the work; errors with files, traces or the program become a sentence and the documented status.
  ///
  /// - Throws: the command's exit status.
  static func told(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error where error is TraceError || error is GateError || error is ExportError {
      Console.log("\(error)")
      throw ExitStatus.toolFailure
    } catch let error as RecordingError {
      Console.log(error.description)
      throw error.couldNotStart ? ExitStatus.couldNotStart : ExitStatus.toolFailure
    } catch let error as RunPool.Interruption {
      throw ExitCode(128 + error.signal)
    }
  }
}
