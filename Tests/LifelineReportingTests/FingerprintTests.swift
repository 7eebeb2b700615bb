import Testing

@testable import LifelineReporting

@Suite struct FingerprintTests {
  @Test(
    "A function's canonical name omits whatever edits and optimizers change",
    arguments: [
      ("Store.load(_:)", "Store.load(_:)"), ("closure #1 in Store.load(_:)", "Store.load(_:)"),
      ("closure #2 in closure #1 in run()", "run()"), ("implicit closure #3 in run()", "run()"),
      ("autoclosure #1 in run()", "run()"),
      ("partial apply for closure #1 in run()", "run()"), ("$defer #1() in run()", "run()"),
      ("helper #12(x:) in foo(_:)", "helper #(x:) in foo(_:)"),
      ("run() in Local #1 in foo(_:)", "run() in Local # in foo(_:)"),
      ("Store.__allocating_init(a:)", "Store.init(a:)"), ("Store.__deallocating_deinit", "Store.deinit"),
      ("async_MainTY2_", "async_Main"),
      ("closure #", "closure #"), ("closure #1", "closure #"), ("", ""),
    ])
  func canonical(_ name: String, _ expected: String) {
    #expect(Fingerprint.canonical(name) == expected)
  }

  @Test(
    "Mangled names of the standard library are recognized, but not another module's extensions of its types",
    arguments: [
      ("$sSa6appendyyxnF", true), ("$sSV4load14fromByteOffset2asxSi_xmtlFs6UInt64V_Tt1g5", true),
      ("$ss9UnmanagedV7releaseyyF", true),
      ("$ss5printyyypd_S2StF", true), ("$sSS3AppE5shoutSSyF", false), ("$ss9UnmanagedV3AppE5touchyyF", false),
      ("$s3App4mainyyF", false),
      ("main", false), ("$ss", true), ("$sS", true), ("$ss99", true), ("", false),
    ])
  func standardLibrary(_ mangled: String, _ expected: Bool) {
    #expect(Fingerprint.isStandardLibrary(mangled) == expected)
  }

  private func fingerprint(
    _ frames: [Report.Frame], role: String = "access", kind: String = "use-after-free", class name: String = "App.Node"
  ) -> String {
    Fingerprint(kind: kind, className: name, backtraces: [SampleReport.backtrace(role, event: 1, frames)]).text
  }

  @Test(
    "A fingerprint depends on kind, class and function, not on lines, files, images, thunks or inlined library code")
  func identity() {
    let plain = fingerprint([SampleReport.frame("Store.load(_:)", "/a/Store.swift", 3)])
    #expect(plain == "c5da6c1f027178f4")
    var inlined = SampleReport.frame("Array.append(_:)")
    inlined.mangledName = "$sSa6appendyyxnF"
    #expect(
      plain
        == fingerprint([
          SampleReport.frame("swift_retain", isSystem: true), SampleReport.frame("outlined copy of Node?"), inlined,
          SampleReport.frame("closure #7 in Store.load(_:)", "/b/Other.swift", 99, image: "App2"),
          SampleReport.frame("main"),
        ]))
    #expect(plain != fingerprint([SampleReport.frame("Store.save(_:)")]))
    #expect(plain != fingerprint([SampleReport.frame("Store.load(_:)")], kind: "leak"))
    #expect(plain != fingerprint([SampleReport.frame("Store.load(_:)")], class: "App.Box"))
    #expect(fingerprint([]).utf8.count == 16)
  }

  @Test("An allocation's fingerprint ignores the object's own initializer")
  func allocation() {
    let initializer = SampleReport.frame("Node.__allocating_init(value:)")
    let first = fingerprint([initializer, SampleReport.frame("Store.first()")], role: "allocation")
    #expect(first == fingerprint([SampleReport.frame("Store.first()")], role: "allocation"))
    #expect(first != fingerprint([initializer, SampleReport.frame("Store.second()")], role: "allocation"))
    #expect(fingerprint([initializer], role: "allocation") != first)
  }

  private func lost(_ taker: String) -> Report.Finding {
    var finding = SampleReport.finding()
    finding.kind = "leak"
    finding.fingerprint = "0123456789abcdef"
    finding.backtraces = [SampleReport.backtrace("retain", event: 2, [SampleReport.frame(taker)])]
    return finding
  }

  @Test("Objects from one function that several functions lost have different fingerprints, and the first is unchanged")
  func takers() {
    let given = DistinctFingerprints.given(to: [lost("send(_:)"), lost("post(_:)"), lost("send(_:)"), lost("post(_:)")])
    let fingerprints = given.map(\.fingerprint)
    #expect(fingerprints[0] == "0123456789abcdef" && fingerprints[2] == fingerprints[0])
    #expect(fingerprints[1] == fingerprints[3] && fingerprints[1] != fingerprints[0])
    #expect(fingerprints[1].utf8.count == 16)
    #expect(DistinctFingerprints.given(to: [lost("post(_:)")]).map(\.fingerprint) == ["0123456789abcdef"])
  }

  @Test("Objects from one function for which tasks wait in several functions have different fingerprints")
  func waits() {
    let findings = ["send(_:)", "post(_:)", "send(_:)"].map { function in
      var finding = lost("start()")
      let task = Report.PathStep(class: "(task)", kind: "task", function: function)
      finding.path = [task, Report.PathStep(class: "App.Request", kind: "property")]
      return finding
    }
    let fingerprints = DistinctFingerprints.given(to: findings).map(\.fingerprint)
    #expect(fingerprints[0] == "0123456789abcdef" && fingerprints[2] == fingerprints[0])
    #expect(fingerprints[1] != fingerprints[0])
  }

  @Test("A resurrection has the same fingerprint whether or not retains were recorded")
  func resurrection() {
    let kept = SampleReport.backtrace("access", event: 3, [SampleReport.frame("Registry.add(_:)")])
    let made = SampleReport.backtrace("allocation", event: 1, [SampleReport.frame("open()")])
    let prints = [[kept, made], [made]].map {
      Fingerprint(kind: "resurrection", className: "App.Node", backtraces: $0).text
    }
    #expect(prints[0] == prints[1])
    #expect(prints[0] != Fingerprint(kind: "resurrection", className: "App.Box", backtraces: [made]).text)
  }

  @Test("A merged deinit of several classes is never the responsible function; its caller is")
  func mergedDeinit() {
    let frames = [
      SampleReport.frame("merged UndoCenter.__deallocating_deinit"),
      SampleReport.frame("Editor.close(_:)", "/a/Editor.swift", 7),
    ]
    let backtrace = SampleReport.backtrace("final-release", event: 3, frames)
    #expect(backtrace.responsible?.function == "Editor.close(_:)")
    let own = SampleReport.backtrace("access", event: 3, [SampleReport.frame("merged peek(_:)"), frames[1]])
    #expect(own.responsible?.function == "merged peek(_:)")
  }
}
