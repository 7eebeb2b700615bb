import Testing

@testable import LifelineReporting

@Suite("SHA-256")
struct SHA256Tests {
  /// The examples of FIPS 180-4 and its million a's.
  @Test(
    "Known messages have their published digests",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
  func publishedDigests(message: String, expected: String) {
    let hex = SHA256(message.utf8).digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hex == expected)
  }
}
