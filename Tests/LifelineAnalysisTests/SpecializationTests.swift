import Testing

@testable import LifelineAnalysis

@Suite struct SpecializationTests {
  @Test(
    "A mangled name says whether a function was made for one closure or function",
    arguments: [
      ("$s3App6LedgerC8withLockyyyyXEF31$s3App6WalletC6revokeyyFyyXEfU_AA0G0CTf1cn_nTf4ng_n", true),
      ("$s3App6LedgerC8withLockyyyyXEF18$s3App6revokeyyFTf1pfn_n", true),
      ("$s3App5TableO5purgeyySSFZTf4nd_n", false),
      ("$s3App5TableO3putyySSFZTf0psbnn_n", false),
      ("$s3App5TableO3putyySSFZTfq4gn_n", false),
      ("$s3App9LedgerTfcC5spendyyF", false),
      ("", false),
    ])
  func propagation(_ name: String, _ isFound: Bool) {
    #expect(Specialization(name).hasInlinedFunction == isFound)
  }

  @Test("A function without a mangled name was made for nothing")
  func unnamed() { #expect(!Specialization(nil).hasInlinedFunction) }
}
