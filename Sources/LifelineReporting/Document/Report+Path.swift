extension Report {
  /// A step on the path that holds an object: who refers, through what, and where that was written.
  ///
  /// The last step is the held object; in a cycle it is the first one again.
  public struct PathStep: Codable, Sendable, Equatable {
    /// What may have stored a reference.
    public struct Event: Codable, Sendable, Equatable {
      public var event: UInt64
      public var function: String?
      /// Of the function, or of its nearest caller with a line.
      public var file: String?
      public var line: Int?
      /// Whether it is the line of the code before, since the instruction has none.
      public var isNear: Bool?
    }

    /// Full class name; "" without a class.
    public var `class`: String
    /// The property that holds the next step; nil if there is none.
    public var property: String?
    /// "property" for an object, "closure", "variable" (captured), "storage", "memory"; "task", "global", "stack",
    /// "thread-local", "queue" for the start of a path.
    public var kind: String
    /// "Pane#1", if the object's allocation was recorded.
    public var object: String?
    /// The event that stored the reference; for a closure's context, its allocation.
    public var event: UInt64?
    /// The function that stored it; for a closure, the closure.
    public var function: String?
    /// Where the reference was stored; for a closure, where it is written.
    public var file: String?
    public var line: Int?
    /// Whether it is the line of the code before, since the instruction has none.
    public var isNear: Bool?
    /// The events of which one stored the reference, in order; nil if it is known which one.
    public var perhaps: [Event]?
    /// Where a closure whose own code has no line was created, or what adapts it to its type.
    public var createdFile: String?
    public var createdLine: Int?
    /// Whether the suggestion removes this reference, or ends this task.
    public var isCut: Bool?
    public var bytes: Int?

    public init(
      class: String, property: String? = nil, kind: String, object: String? = nil, event: UInt64? = nil,
      function: String? = nil,
      file: String? = nil, line: Int? = nil, isNear: Bool? = nil, perhaps: [Event]? = nil,
      createdFile: String? = nil, createdLine: Int? = nil, isCut: Bool? = nil, bytes: Int? = nil
    ) {
      self.class = `class`
      self.property = property
      self.kind = kind
      self.object = object
      self.event = event
      self.function = function
      self.file = file
      self.line = line
      self.isNear = isNear
      self.perhaps = perhaps
      self.createdFile = createdFile
      self.createdLine = createdLine
      self.isCut = isCut
      self.bytes = bytes
    }

    /// "Preferences.swift:57".
    public var location: String? { Self.location(file, line) }

    /// "Preferences.swift:57 or near 60", where it is unknown which one.
    public var possibleLocations: String? {
      guard let perhaps else { return nil }
      var file: String?
      let places = perhaps.compactMap { event -> String? in
        defer { file = event.file }
        let isSame = file != nil && event.file == file
        let place = isSame ? event.line.map(String.init) : Self.location(event.file, event.line)
        return place.map { event.isNear == true ? "near \($0)" : $0 }
      }
      return places.count == perhaps.count ? places.joined(separator: " or ") : nil
    }

    /// `location`, or "near Preferences.swift:57" if that is the line of the code before.
    public var statedLocation: String? { location.map { isNear == true ? "near \($0)" : $0 } }

    /// The same of where a closure was created.
    public var creation: String? { Self.location(createdFile, createdLine) }

    private static func location(_ file: String?, _ line: Int?) -> String? {
      guard let file, let line else { return nil }
      return "\(file.split(separator: "/").last ?? ""):\(line)"
    }
  }
}
