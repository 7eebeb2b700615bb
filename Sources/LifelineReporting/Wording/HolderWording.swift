import LifelineAnalysis

/// The words for who held an object.
struct HolderWording {
  let holder: Holder
  let confidence: Confidence

  init(_ hold: Hold) {
    holder = hold.holder
    confidence = hold.confidence
  }

  /// One that was shown.
  init(_ holder: Holder) {
    self.holder = holder
    confidence = .likely
  }

  /// "DetailViewController#1.controller", "NotificationCenter.post(name:object:)", "a stored reference"; a guess is
  /// marked: "perhaps Vault#1.token".
  var name: String { confidence == .perhaps ? "perhaps \(plainName)" : plainName }

  private var plainName: String {
    switch holder {
    case .property(let className, let property, let instance):
      let owner = instance?.description ?? Self.short(className)
      return property.map { "\(owner).\($0)" } ?? "a property of \(owner)"
    case .reference: return "a stored reference"
    case .closure: return "a closure that captured it"
    case .function(let function): return function
    case .library(let function, _): return function
    case .activity(let rule): return rule.holder
    }
  }

  /// Identifier of the hold rule, "" if none applies.
  var rule: String { if case .activity(let rule) = holder { rule.id } else { "" } }

  /// The kind of holder, for a table: "owner", "passing", "for a call".
  var sort: String {
    holder.isTransient ? "passing" : holder.isOwner ? "owner" : "for a call"
  }

  private static func short(_ className: String) -> String {
    className.firstIndex(of: ".").map { String(className[className.index(after: $0)...]) } ?? className
  }
}
