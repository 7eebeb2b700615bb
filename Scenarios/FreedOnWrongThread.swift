// A view dies on a background thread.
//
// A classic, and a remark in delegate-dangling-pointer.txt: views belong to the main thread, and if the last release of one
// happens elsewhere, the design needs another look. A background job captures the view; the main thread releases it first.
//
// Found: a late deallocation: the job held the view past its last owner, and its deinit ran on the job's thread.
// Remedies: the job captures weakly, or it hands the view back to the main thread, which releases it last.
import Foundation
import LifelineScenarios

enum FreedOnWrongThread {
  class MapView: @unchecked Sendable {
    private let gone: Gate
    private let deathThread: Mailbox
    init(_ deathThread: Mailbox, gone: Gate) {
      self.deathThread = deathThread
      self.gone = gone
    }
    func draw() {}
    deinit {
      deathThread.isMain = Thread.isMainThread
      gone.open()
    }
  }

  final class Mailbox: @unchecked Sendable {
    var isMain: Bool?
    var view: MapView?
  }

  final class Controller {
    private var view: MapView?
    init(_ view: MapView) { self.view = view }
    @inline(never) func close() {
      view = nil  // <- last owner
      opaque(())
    }
    @inline(never) func start(_ body: (MapView) -> Void) { body(view!) }
  }

  @inline(never) private static func makeController(_ mailbox: Mailbox, _ gone: Gate) -> Controller { Controller(MapView(mailbox, gone: gone)) }

  static func play(isMain: Bool, _ job: (MapView, _ closed: Gate, _ mailbox: Mailbox) -> Void) {
    let mailbox = Mailbox(), gone = Gate(), closed = Gate()
    let controller = makeController(mailbox, gone)
    controller.start { job($0, closed, mailbox) }
    controller.close()
    closed.open()
    gone.waitForDeaths()
    queue.sync {}
    observe("the view died on the main thread", mailbox.isMain, is: isMain)
  }

  static let queue = DispatchQueue(label: "tiles")

  static let scenario = Scenario(
    "FreedOnWrongThread", "The last reference to a view is released on a background thread", from: "classic",
    variants: [
      Variant(
        "buggy", "The job on a dispatch queue holds the view longest.",
        expect: [
          .found("late-deallocation", "MapView#1", severity: "warning", holder: "a Dispatch block", lines: ["last-owner-release": "last owner"]),
          .live("MapView", count: 0),
        ]
      ) {
        play(isMain: false) { view, closed, _ in
          queue.async {
            closed.wait()
            view.draw()
          }
        }
      },
      Variant("weak", "The job captures weakly: the view dies where its owner releases it.", expect: [.absent("late-deallocation"), .live("MapView", count: 0)]) {
        play(isMain: true) { view, closed, _ in
          queue.async { [weak view] in
            closed.wait()
            view?.draw()
          }
        }
      },
      Variant("waited-for", "The main thread releases the view when the job is done.", expect: [.absent("late-deallocation"), .live("MapView", count: 0)]) {
        play(isMain: true) { view, _, _ in queue.sync { view.draw() } }
      },
    ])
}
