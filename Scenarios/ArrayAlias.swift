// An array that looks immutable but is a mutable one.
//
// From delegation-notifications-operations.txt: a model declares an NSArray property backed by
// an NSMutableArray so that others do not change it. They get the same array, though: it changes
// while they use it, and does not keep the elements that they saw in it. A copy does keep them.
//
// Found: with the alias, a use after free when an element is used that
// the model has since removed; with a copy or a Swift array, nothing.
import Foundation
import LifelineScenarios

enum ArrayAlias {
  class Photo: @unchecked Sendable {
    func show() {}
  }

  /// Overrides show(), so that a call of it asks the object for it, in optimized builds as well.
  final class Panorama: Photo, @unchecked Sendable { override func show() { tell("panorama") } }

  final class Model {
    private let photos = NSMutableArray()
    func add(_ photo: Photo) { photos.add(photo) }
    func removeFirst() { photos.removeObject(at: 0) }  // <- model removes

    /// Looks immutable.
    var alias: NSArray { photos }
    var copied: NSArray { NSArray(array: photos) }
    var values: [Photo] { photos.compactMap { $0 as? Photo } }
  }

  /// Remembers an element of an array that it believes to keep it.
  final class Screen {
    let array: AnyObject
    unowned(unsafe) let first: Photo
    init(_ array: NSArray) {
      self.array = array
      first = array[0] as! Photo
    }
  }

  @inline(never) private static func makeModel() -> Model {
    let model = Model()
    for _ in 0..<3 { model.add(Photo()) }
    return model
  }

  static func play(_ model: Model, shown: NSArray, afterwards: Int) {
    let screen = Screen(shown)
    model.removeFirst()
    observe("elements in the screen's array", shown.count, is: afterwards)
    screen.first.show()  // <- screen shows
    observe("the screen has its array", screen.array === shown, is: true)
  }

  static let scenario = Scenario(
    "ArrayAlias", "An array looks immutable, changes, and does not keep its elements", from: "delegation-notifications-operations.txt",
    variants: [
      Variant(
        "alias", "The screen has the model's own array, whose first element is removed.",
        expect: [
          .found(
            "use-after-free", "Photo#1", access: "message", message: "show()",
            lines: ["access": "screen shows", "final-release": "model removes"])
        ]
      ) {
        let model = makeModel()
        play(model, shown: model.alias, afterwards: 2)
      },
      Variant("copy", "A copy does not change, and keeps its elements.", expect: [.live("Photo", count: 0)]) {
        let model = makeModel()
        play(model, shown: model.copied, afterwards: 3)
      },
      Variant("value", "A Swift array is a copy.", expect: [.live("Photo", count: 0)]) {
        let model = makeModel()
        let values = model.values
        model.removeFirst()
        values[0].show()
        observe("elements in the array", values.count, is: 3)
      },
    ])
}
