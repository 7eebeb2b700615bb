@testable import LifelineAnalysis
import Testing

@Suite struct ResultScanTests {
  @Test(
    "A mangled name shows whether a function returns nothing; an unreadable one may return something",
    arguments: [
      ("$s3App7ManagerC4openyyF", "Manager.open()", true),
      ("$s3App7ManagerC4openyyYaF", "Manager.open()", true),
      ("$s3App7ManagerC4takeyyAA5TokenCF", "Manager.take(_:)", true),
      ("$s3App7ManagerC3add2to5countyAA5TokenC_SitF", "Manager.add(to:count:)", true),
      ("$s3App7ManagerC04openB0yyF", "Manager.openManager()", true),
      ("$s3App7ManagerC4makeAA5TokenCyF", "Manager.make()", false),
      ("$s3App7ManagerC4makeyAA5TokenCSiF", "Manager.make(_:)", false),
      ("$s3App7ManagerC4make5countAA5TokenCSi_tF", "Manager.make(count:)", false),
      ("$s3App7ManagerC4make3Lib5TokenCyF", "Manager.make()", false),
      ("$s3App7ManagerC3anyyypSiF", "Manager.any(_:)", false),
      ("$s3App7ManagerC3jobyycSiF", "Manager.job(_:)", false),
      ("$s3App7ManagerC4fillyyAA5TokenCSgzF", "Manager.fill(_:)", false),
      ("$s3App12TokenManagerC4openyyF", "TokenManager.close()", false),
      ("$s3App7ManagerC5tokenAA5TokenCSgvg", "Manager.token.getter", false),
      (nil, "Manager.open()", false),
    ] as [(String?, String, Bool)])
  func isNothing(_ mangled: String?, _ function: String, _ isNothing: Bool) {
    #expect(ResultScan(mangled, function: function).isNothing == isNothing)
  }

  @Test(
    "A mangled name shows whether a function never returns; in doubt it returns",
    arguments: [
      ("$s6XCTest7XCTMainys5NeverOSayAA0A4CaseCm04testD5Class_SaySS_yAFKctG8allTeststGF", "XCTMain(_:)", true),
      ("$s3App4stops5NeverOyF", "stop()", true), ("$s3App4stop4codes5NeverOSi_tF", "stop(code:)", true),
      ("$s3App4stops5NeverOSgyF", "stop()", false), ("$s3App4stops5NeverOycyF", "stop()", false),
      ("$s3App4stops5NeverOmyF", "stop()", false), ("$s3App4stopyys5NeverOF", "stop(_:)", false),
      (nil, "stop()", false),
    ] as [(String?, String, Bool)])
  func isNever(_ mangled: String?, _ function: String, _ isNever: Bool) {
    #expect(ResultScan(mangled, function: function).isNever == isNever)
  }

  @Test(
    "A mangled name shows whether a function's result can be no object; in doubt it can",
    arguments: [
      ("$s3App4openyyF", "open()", true), ("$s3App5countSiyF", "count()", true),
      ("$s3App5countSiyYaF", "count()", true), ("$s3App5countSSyKF", "count()", true),
      ("$s3App5countSiSgyF", "count()", true), ("$s3App5countyS2iF", "count(_:)", true),
      ("$s3App5countySiAA10ConnectionCF", "count(_:)", true),
      ("$s3App5count2inSbAA4ItemC_tF", "count(in:)", true), ("$s3App5countyS2i_AA4ItemCtF", "count(_:_:)", true),
      ("$s3App5countySiAA4ItemCzF", "count(_:)", false), ("$s3App5countSi_AA4ItemCtyF", "count()", false),
      ("$s3App5countSiAA4ItemCcyF", "count()", false), ("$s3App5countSiycyF", "count()", false),
      ("$s3App5countSimyF", "count()", false), ("$s3App5countyS2icF", "count(_:)", false),
      ("$s3App5countySiAA4ItemCcF", "count(_:)", false), ("$s3App5countAA4ItemCyF", "count()", false),
      ("$s3App5countSaySiGyF", "count()", false), ("$s3App5countypyF", "count()", false), (nil, "count()", false),
    ] as [(String?, String, Bool)])
  func hasNoObject(_ mangled: String?, _ function: String, _ hasNoObject: Bool) {
    #expect(ResultScan(mangled, function: function).hasNoObject == hasNoObject)
  }
}
