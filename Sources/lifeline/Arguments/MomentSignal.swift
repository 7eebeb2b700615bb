import ArgumentParser
import Glibc

/// A signal by which the user tells lifeline of a moment in a run.
enum MomentSignal: String, ExpressibleByArgument, CaseIterable {
  case usr1 = "USR1"
  case usr2 = "USR2"

  var number: Int32 { self == .usr1 ? SIGUSR1 : SIGUSR2 }
}
