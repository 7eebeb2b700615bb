/// The events between which a finding happened: from the release of its object to the access.
struct FindingWindow {
  let from: UInt64
  let to: UInt64

  init?(_ finding: Report.Finding) {
    let roles = ["last-owner-release", "final-release", "deallocation", "access"]
    let events = finding.backtraces.filter { roles.contains($0.role) }.map(\.event)
    guard let from = events.min(), let to = events.max(), from < to else { return nil }
    self.from = from
    self.to = to
  }
}
