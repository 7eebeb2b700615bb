import LifelineTrace

/// A tracked reference that was used after its object had ended.
public struct LostReference: Sendable {
  /// The object that has it as a property.
  public let owner: ObjectID
  /// Of the string that names its declaration.
  public let declaration: Int
  public let strength: Event.ReferenceStrength
}
