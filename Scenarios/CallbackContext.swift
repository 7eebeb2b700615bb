// A C function calls back with a context pointer to an object that is gone.
//
// A classic: C interfaces take a function and a void pointer. The pointer is made with passUnretained,
// and the object dies before the callback, here on a POSIX thread that is held until then.
//
// Found: a use after free in the callback, on its thread. Remedy: pass the context retained, and let the callback release it.
import Foundation
import LifelineScenarios

enum CallbackContext {
  class Listener {
    func hear() {}
  }

  /// Overrides hear(), so that a call of it asks the object for it, in optimized builds as well.
  final class TalkingListener: Listener { override func hear() { tell("heard") } }

  static let start = Gate()

  /// Registers the callback with its context; returns the thread that will make it.
  private static func register(_ context: UnsafeMutableRawPointer, _ callback: @escaping @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)
    -> pthread_t
  {
    var thread = pthread_t()
    pthread_create(&thread, nil, callback, context)
    return thread
  }

  @inline(never) private static func listenUnretained() -> pthread_t {
    let listener = Listener()
    return register(Unmanaged.passUnretained(listener).toOpaque()) { context in
      CallbackContext.start.wait()
      Unmanaged<Listener>.fromOpaque(context!).takeUnretainedValue().hear()  // <- callback
      return nil
    }
  }

  @inline(never) private static func listenRetained() -> pthread_t {
    let listener = Listener()
    return register(Unmanaged.passRetained(listener).toOpaque()) { context in
      CallbackContext.start.wait()
      Unmanaged<Listener>.fromOpaque(context!).takeRetainedValue().hear()
      return nil
    }
  }

  private static func play(_ listen: () -> pthread_t) {
    // Made here, not by whichever thread needs it first.
    _ = start
    let thread = listen()
    start.open()
    pthread_join(thread, nil)
    tell("called back")
  }

  static let scenario = Scenario(
    "CallbackContext", "A C callback gets a pointer to an object that is gone", from: "classic",
    variants: [
      Variant("buggy", "The context was passed unretained.", expect: [.found("use-after-free", "Listener#1", lines: ["access": "callback"])]) {
        play(listenUnretained)
      },
      Variant("retained", "The context is passed retained, and the callback releases it.", expect: [.live("Listener", count: 0)]) {
        play(listenRetained)
      },
    ])
}
