/// What a kind of finding means, for formats that describe their rules.
struct FindingKindText {
  /// "UseAfterFree".
  let name: String
  let summary: String
  let help: String

  /// The text of a kind; kinds unknown to this version are described by their name.
  init(_ kind: String) {
    name = kind.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    let known = Self.texts[kind]
    summary = known?.summary ?? "A finding of the kind \(kind)."
    help = known?.help ?? "Read the finding's explanation."
  }

  static let texts: [String: (summary: String, help: String)] = [
    "use-after-free": (
      "An object was used after it had been freed.",
      "Make the reference weak, clear it in the object's deinit, or hold the object strongly for as long as it is used."
    ),
    "over-release": (
      "An object was released more often than it was retained.",
      "Look for an Unmanaged.release() or takeRetainedValue() without its retain."
    ),
    "not-an-object": (
      "A pointer that does not lead to an object, or no longer does, was retained or released.",
      """
      Check where the pointer comes from: an Unmanaged or unsafeBitCast of something that is not an object, or of \
      an object freed long ago.
      """
    ),
    "late-deallocation": (
      "An object lived on after its last owner released it, because a passing activity still held it.",
      "Do not rely on the deinit for the end of the object's work; stop the work when the owner releases it."
    ),
    "near-miss": (
      "An access was valid only because a passing activity happened to hold the object.",
      "Hold the object strongly for as long as it is used."
    ),
    "leak": (
      "An object is live at exit and nothing reaches it.",
      "Break the cycle with a weak reference, or release the object explicitly."
    ),
    "unowned-after-deinit": (
      "An unowned reference was read after its object's deinit had begun.",
      "Make the reference weak, or make sure that its owner does not outlive the object."
    ),
    "resurrection": (
      "An object escaped from its own deinit.",
      "Do not store self, or pass it to anything that keeps it, in deinit."
    ),
  ]
}
