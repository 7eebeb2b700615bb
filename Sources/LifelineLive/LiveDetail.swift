/// What is shown of an open class: where its live objects were allocated, and the oldest of them.
public struct LiveDetail: Sendable, Equatable {
  public struct Site: Sendable, Equatable {
    public let place: String
    public let live: Int

    public init(place: String, live: Int) {
      self.place = place
      self.live = live
    }
  }

  public let className: String
  public var sites: [Site]
  public var objects: [LiveSnapshot.Object]

  public init(className: String, sites: [Site] = [], objects: [LiveSnapshot.Object] = []) {
    self.className = className
    self.sites = sites
    self.objects = objects
  }
}
