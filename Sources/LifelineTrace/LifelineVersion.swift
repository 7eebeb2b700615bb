import CLifelineFormat

/// The version of Lifeline, from `lifeline_version.h`.
public enum LifelineVersion {
  /// "1.0.0"
  public static let text = LIFELINE_RELEASE
}
