import LifelineSymbolication
import Testing

@Suite struct ClosureSignatureTests {
  @Test(
    "The parameters of a closure are of the toolchain's types, or may be an object of the program",
    arguments: [
      ("$s4main5PanelCyAcA3BusCcfcySicfU_", true), ("$s4main5PanelCyAcA3BusCcfcySicfU_TA", true),
      ("$s4main3CarC5startyyFyyYbcfU_", true), ("$s4main3CarC5startyyFyyYbcfU_yAA6EngineCXEfU_", false),
      ("$s4main6ClientC6eventsScSySSGyFyScS12ContinuationVySS_GXEfU_yAG11TerminationOySS__GYbcfU_", true),
      ("$s4main3CarC5startyyF", false), ("", false), (nil, false),
    ])
  func plain(_ mangled: String?, _ isPlain: Bool) {
    #expect(ClosureSignature(mangled).takesOnlyLibraryTypes == isPlain)
  }

  @Test(
    "Parameters are counted as the source has them",
    arguments: [
      ("$s4main5PanelCyAcA3BusCcfcySicfU_", 1), ("$s6Corpus4NodeC1ayyACFyAC_SitcfU_TA", 2),
      ("$s6Corpus4NodeC1cyyACYaFyyYaYbcfU_", 0), ("$s6Corpus7ServiceC5startyyFSSycfu_", 0),
      ("$s6Corpus3GenC4link__1tyACyxG_ACySiGxtFyxcfU_Si_TG5", 1), ("$s4main3CarC5startyyF", nil),
      ("$s6Corpus5QueueC2goyyACF5plainL_yyFTA", nil), ("$s6Corpus5QueueC2goyyACFyycfU_4stepL_yyF", nil),
    ])
  func count(_ mangled: String, _ count: Int?) {
    #expect(ClosureSignature.parameterCount(mangled) == count)
  }
}
