import CLifelineFormat

/// One kind of bytes in the chunks of a trace; the numbers are the format's (lifeline_compact.h).
enum Column: Int, CaseIterable {
  case layout = 0
  case plain = 1
  case tags = 2
  case kinds = 3
  case times = 4
  case objects = 5
  case distances = 6
  case counts = 7
  case classes = 8
  case sizes = 9
  case arguments = 10
  case changes = 11
  case sites = 12
  case definitions = 13
}
