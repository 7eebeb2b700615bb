@testable import LifelineAnalysis
import Testing

@Suite struct ParameterScanTests {
  @Test(
    "A signature tells whether the function can have been given an object of the class",
    arguments: [
      ("$s3App7MonitorC5checkyyF", "Monitor.check()", false),
      ("$s3App7MonitorC5checkyyAA5PanelCF", "Monitor.check(_:)", true),
      ("$s3App7MonitorC5checkyySiF", "Monitor.check(_:)", false),
      ("$s3App7MonitorC7changedyy10Foundation12NotificationVF", "Monitor.changed(_:)", false),
      ("$s3App7MonitorC5checkyyyXlF", "Monitor.check(_:)", true),
      ("$s3App7MonitorC5checkyyxlF", "Monitor.check(_:)", true),
      ("$s3App7MonitorC5checkyyAA8Delegate_pF", "Monitor.check(_:)", true),
      ("$s3App12PanelMonitorC5checkyyAA0B0CF", "PanelMonitor.check(_:)", true),
      (nil, "Monitor.check(_:)", true),
    ] as [(String?, String, Bool)])
  func mayTake(_ mangled: String?, _ function: String, _ mayTake: Bool) {
    #expect(ParameterScan(mangled, function: function, classes: ["Panel"]).mayTake == mayTake)
  }
}
