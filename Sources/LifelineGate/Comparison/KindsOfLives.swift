/// Objects by class and site.
public struct KindsOfLives {
  /// In order of their first objects.
  private(set) var kinds: [LifetimeShape.Kind] = []
  private var lives: [LifetimeShape.Kind: [LifetimeSignature]] = [:]

  public init(_ all: [LifetimeSignature]) {
    var byKind: [LifetimeShape.Kind: Int] = [:], byShape: [ObjectIdentifier: Int] = [:]
    var sorted: [[LifetimeSignature]] = []
    for life in all {
      let shape = ObjectIdentifier(life.shape)
      let index = byShape[shape] ?? byKind[life.shape.kind] ?? kinds.count
      if index == kinds.count {
        kinds.append(life.shape.kind)
        byKind[life.shape.kind] = index
        sorted.append([])
      }
      byShape[shape] = index
      sorted[index].append(life)
    }
    lives = Dictionary(uniqueKeysWithValues: zip(kinds, sorted))
  }

  /// The objects of a kind, in order; empty if there are none.
  subscript(kind: LifetimeShape.Kind) -> [LifetimeSignature] { lives[kind] ?? [] }
}
