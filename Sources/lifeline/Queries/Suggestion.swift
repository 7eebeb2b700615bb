/// The known word that a misspelled one probably is.
struct Suggestion {
  let word: String?

  init(for misspelt: String, among known: [String]) {
    let limit = max(2, misspelt.count / 3)
    word =
      known.map { (word: $0, distance: Self.distance(misspelt.lowercased(), $0.lowercased())) }
      .filter { $0.distance <= limit }
      .min { ($0.distance, $0.word) < ($1.distance, $1.word) }?.word
  }

  /// " Did you mean 'check'?", or "".
  var sentence: String { word.map { " Did you mean '\($0)'?" } ?? "" }

  /// Letters to add, remove, replace or swap with their neighbor.
  private static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first), b = Array(second)
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, rows[i - 1][j - 1] + 1) }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[a.count][b.count]
  }
}
