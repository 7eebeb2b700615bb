import ArgumentParser
import LifelineGate
import LifelineRecording
import LifelineTrace

/// What keeps a command from doing its work, told in one sentence.
enum Failure {
  /// Does the work; what went wrong with files, traces or the program becomes a sentence and the documented status.
  ///
  /// - Throws: what the command ends with.
  static func told(_ work: () throws -> Void) throws {
    do {
      try work()
    } catch let error as TraceError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    } catch let error as GateError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    } catch let error as RecordingError {
      Console.log(error.description)
      throw error.couldNotStart ? ExitStatus.couldNotStart : ExitStatus.toolFailure
    } catch let error as RunPool.Interruption {
      throw ExitCode(128 + error.signal)
    }
  }
}
