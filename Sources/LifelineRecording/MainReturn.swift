import LifelineHeap
import LifelineSymbolication

/// A process that ends because a function of the program called `exit`: perhaps its asynchronous main function, when it
/// returned.
///
/// The last part of that function, `async_Main`, calls `exit` without a line of the source (seen with Swift 6.3.1, at
/// all levels of optimization), on whichever thread it resumed. A call that a person wrote has a line; there, variables
/// are still in use.
struct MainReturn {
  /// An address in the call.
  private let call: UInt64
  private let images: [ProcessImage]

  /// Nil if no function of the program called `exit`. The process must still exist.
  init?(_ request: ExaminationRequest) {
    guard let address = request.recorder.exitCalls.first else { return nil }
    call = address - 1
    images = ProcessImage.images(of: request.process)
  }

  /// Whether the asynchronous main function has returned; false without debug information. Opens the program's file.
  var isCertain: Bool {
    guard let image = images.last(where: { $0.addresses.contains(call) }), !image.isSystem else { return false }
    let symbolicator = Symbolicator(images: [
      SymbolicationImage(
        path: image.path, loadBias: image.loadBias, addresses: image.addresses, buildID: [], isSystem: false)
    ])
    return symbolicator.symbol(at: call)?.name.contains("async_Main") == true
      && symbolicator.isMadeByCompiler(at: call)
  }
}
