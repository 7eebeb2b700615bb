/// The details of an open class: where its live objects were allocated, and the oldest of them.
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

  /// Sites that read the same are merged, because their backtraces differ only in callers that are not shown.
  public init(className: String, sites: [Site] = [], objects: [LiveSnapshot.Object] = []) {
    self.className = className
    let live = Dictionary(sites.map { ($0.place, $0.live) }, uniquingKeysWith: +)
    self.sites = live.map { Site(place: $0.key, live: $0.value) }.sorted { ($1.live, $0.place) < ($0.live, $1.place) }
    self.objects = objects
  }
}
