// class: Settings
// kind: use-after-free
// A computed property is read through an uncounted reference.
class Theme { var name: String { "plain" } }
final class Settings: Theme { var suffix = "dark"; override var name: String { "settings-" + suffix } }
final class Label {
  unowned(unsafe) let theme: Theme
  init(_ theme: Theme) { self.theme = theme }
  @inline(never) func text() -> String {
    theme.name // ACCESS
  }
}
final class Owner { var settings: Settings? }
@inline(never) func make(_ owner: Owner) -> Label {
  owner.settings = Settings() // ALLOC
  return Label(owner.settings!)
}
@inline(never) func drop(_ owner: Owner) {
  owner.settings = nil // FREE
}
let owner = Owner()
let label = make(owner)
#if !CLEAN
drop(owner)
#endif
print(label.text().isEmpty)
drop(owner)
