import LifelineLifetimes

/// Adds to errors what explains them: their object's life, who counted by hand, which reference was used, and whether
/// its owner was late.
struct ErrorExplainer {
  private let senders: [UInt64: Sender]
  private let inspector: HoldInspector
  private let counter: HandCountInspector
  private let captures: CaptureInspector
  /// The lifetimes of all examined objects; a sender's gets the late deallocation in which it used the object.
  private(set) var lives: [ObjectID: ObjectLifetime]
  /// Senders that used a freed object while they were late themselves.
  private(set) var harmful: Set<ObjectID> = []

  /// - Parameter senders: By the number of the access's event.
  init(
    lives: [ObjectID: ObjectLifetime], senders: [UInt64: Sender], inspector: HoldInspector, sites: CallSiteTable,
    classes: ClassTable
  ) {
    self.lives = lives
    self.senders = senders
    self.inspector = inspector
    counter = HandCountInspector(sites: sites, classes: classes)
    captures = CaptureInspector(sites: sites, classes: classes)
  }

  mutating func explain(_ error: inout Finding) {
    error.lifetime = lives[error.object]
    findCounts(&error)
    if error.handCounts.isEmpty, !error.hasHandReleases, captures.isByOwner(error) {
      error.isByOwner = true
      error.hasHandReleases = true
      error.handReleases = captures.strayRelease(error).map { [$0] } ?? []
    }
    if [.useAfterFree, .unownedAfterDeinit].contains(error.kind) {
      error.capturer = captures.capturer(error)
      error.possibleReference = captures.possibleReference(error)
    }
    if let intruder = error.lifetime?.intruder, intruder.event.sequence == error.place(.access)?.event.sequence {
      captures.explainRace(&error)
    }
    findSender(&error)
  }

  /// What counted references by hand before the access.
  private func findCounts(_ error: inout Finding) {
    guard [.overRelease, .useAfterFree].contains(error.kind), let lifetime = error.lifetime,
      let access = error.place(.access)
    else { return }
    error.handCounts = counter.counts(
      lifetime, before: access.event.sequence, isSurplus: error.kind == .overRelease)
    guard error.handCounts.isEmpty else { return }
    let releases = counter.releases(lifetime, before: access.event.sequence)
    error.hasHandReleases =
      !releases.isEmpty || error.kind == .useAfterFree && counter.usesPointer(access.backtrace, after: lifetime)
    error.handReleases = releases.filter { !counter.isMadeByAllocatingFunction($0, lifetime) }
  }

  private mutating func findSender(_ error: inout Finding) {
    guard let place = error.place(.access), var sender = senders[place.event.sequence] else { return }
    if let object = sender.object, let lifetime = lives[object] {
      if lifetime.lateDeallocation == nil {
        let access = error.lifetime?.history.rows.first { $0.event.sequence == place.event.sequence }
        if let late = access.flatMap({ inspector.ongoingLateDeallocation(lifetime, at: $0) }) {
          lives[object] = lifetime.kept(by: late)
        }
      }
      sender.lifetime = lives[object]
      if let late = sender.lifetime?.lateDeallocation, late.contains(place.event.sequence) { harmful.insert(object) }
    }
    if error.kind == .useAfterFree, !sender.isShown, sender.property != nil {
      error.possibleReference = error.possibleReference ?? sender
      sender.property = nil
    }
    error.sender = sender
  }
}
