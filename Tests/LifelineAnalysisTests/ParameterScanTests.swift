@testable import LifelineAnalysis
import Testing

@Suite struct ParameterScanTests {
  @Test(
    "A signature shows whether a function may take an object of the class",
    arguments: [
      ("$s3App7MonitorC5checkyyF", "Monitor.check()", false),
      ("$s3App7MonitorC5checkyyAA5PanelCF", "Monitor.check(_:)", true),
      ("$s3App7MonitorC5checkyySiF", "Monitor.check(_:)", false),
      ("$s3App7MonitorC7changedyy10Foundation12NotificationVF", "Monitor.changed(_:)", true),
      ("$s3App7MonitorC7changedyy10Foundation4DateVF", "Monitor.changed(_:)", false),
      ("$s3App7MonitorC4draw2inyAA11EnvironmentV_tF", "Monitor.draw(in:)", true),
      ("$s3App7MonitorC4drawyyAA7CommandOF", "Monitor.draw(_:)", true),
      ("$s3App7MonitorC4drawyyAA6ButtonCF", "Monitor.draw(_:)", false),
      ("$s3App7MonitorC4drawyyAA6WindowCF", "Monitor.draw(_:)", true),
      ("$s3App7MonitorCyAA6ResultVAA7CommandVcig", "Monitor.subscript.getter", true),
      ("$s3App7MonitorC5checkyyyXlF", "Monitor.check(_:)", true),
      ("$s3App7MonitorC5checkyyxlF", "Monitor.check(_:)", true),
      ("$s3App7MonitorC5checkyyAA8Delegate_pF", "Monitor.check(_:)", true),
      ("$s3App12PanelMonitorC5checkyyAA0B0CF", "PanelMonitor.check(_:)", true),
      (nil, "Monitor.check(_:)", true),
    ] as [(String?, String, Bool)])
  func mayTake(_ mangled: String?, _ function: String, _ mayTake: Bool) {
    #expect(ParameterScan(mangled, function: function, classes: ["Panel"]) { $0 == "Window" }.mayTake == mayTake)
  }
}
