import LifelineSymbolication
import Testing

@Suite struct UncopiedTypeTests {
  @Test(
    "The symbol of a property's type that cannot be copied names the type",
    arguments: [
      (
        "get_type_metadata 15Synchronization5MutexVy3App8RegistryC5StateVG noncopyable.1",
        "Synchronization.Mutex<App.Registry.State>"
      ),
      ("get_type_metadata 3App4SlotVSg noncopyable", "Swift.Optional<App.Slot>"),
      ("get_type_metadata 3App4Slot33_0123456789ABCDEF0123456789ABCDEFLLV noncopyable.12", "App.Slot"),
      ("get_type_metadata nothing noncopyable", nil), ("symbolic Si", nil),
    ] as [(String, String?)])
  func name(_ symbol: String, _ name: String?) { #expect(UncopiedType.name(ofSymbol: symbol) == name) }
}
