// leak: 1 Settings, 1 Label
// path: Settings.observers, closure, Label.settings
// Observers by key path: the closure keeps the object that it writes to.
final class Settings {
  var volume = 1
  var observers: [PartialKeyPath<Settings>: [(Settings) -> Void]] = [:]
  func observe<Value, Target>(_ path: KeyPath<Settings, Value>, _ target: Target, _ property: ReferenceWritableKeyPath<Target, Value>) {
    observers[path, default: []].append { settings in target[keyPath: property] = settings[keyPath: path] } // KEPT
  }
  func changed(_ path: PartialKeyPath<Settings>) { for observer in observers[path] ?? [] { observer(self) } }
}
final class Label { var value = 0; var settings: Settings? }
@inline(never) func bind() -> Int {
  let settings = Settings() // ALLOC
  let label = Label() // ALLOC
  label.settings = settings
  settings.observe(\.volume, label, \.value) // KEPT-CALL
  settings.changed(\.volume)
  #if CLEAN
  label.settings = nil
  #endif
  return label.value
}
print(bind())
