import Glibc

/// The signals by which the kernel ends a process whose write failed: nobody reads its pipe, or the file size limit was
/// reached. We ignore them and report the error; the programs that we start get them as we did.
public enum WriteSignals {
  /// Ignores them; gives those that were not ignored before.
  public static let ignored: sigset_t = {
    var changed = sigset_t()
    sigemptyset(&changed)
    for number in [SIGPIPE, SIGXFSZ] {
      let former = signal(number, SIG_IGN)
      if unsafeBitCast(former, to: UInt.self) != unsafeBitCast(SIG_IGN, to: UInt.self) { sigaddset(&changed, number) }
    }
    return changed
  }()
}
