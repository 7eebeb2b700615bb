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
      ("$s3App12PanelMonitorC5checkyyAA0C4ItemCF", "PanelMonitor.check(_:)", false),
      ("$s3App12PanelMonitorC5check_2inyAA0bC0C_AA6WindowCtF", "PanelMonitor.check(_:in:)", true),
      ("$s3App12PanelMonitorC05closeC0yyAA0B0CF", "PanelMonitor.closeMonitor(_:)", true),
      ("$s3App12PanelMonitorC05closeC0yySiF", "PanelMonitor.closeMonitor(_:)", false),
      ("$s3App7BackendC3runyySo17OS_dispatch_queueC_So0D10_semaphoreCtF", "Backend.run(_:_:)", false),
      ("$s3App7MonitorC5checkyyAA0Z0CF", "Monitor.check(_:)", true),
      (nil, "Monitor.check(_:)", true),
      ("main", "main", false),
      ("_start", "_start", false),
    ] as [(String?, String, Bool)])
  func mayTake(_ mangled: String?, _ function: String, _ mayTake: Bool) {
    #expect(ParameterScan(mangled, function: function, classes: ["Panel"]) { $0 == "Window" }.mayTake == mayTake)
  }

  @Test(
    "A function that takes and returns only numbers and strings can pass no object on",
    arguments: [
      ("$s3App7MonitorC5checkyyF", "Monitor.check()", true),
      ("$s3App7MonitorC6removeyySiF", "Monitor.remove(_:)", true),
      ("$s3App7MonitorC4find5names5Int32VSgSS_tF", "Monitor.find(name:)", true),
      ("$s3App7MonitorC6appendyyACF", "Monitor.append(_:)", false),
      ("$s3App7MonitorC5checkyyAA5PanelCF", "Monitor.check(_:)", false),
      ("$s3App7MonitorC6removeySayAA5PanelCGSiF", "Monitor.remove(_:)", false),
      ("$s3App7MonitorC7performyyyycF", "Monitor.perform(_:)", false),
      (nil, "Monitor.check(_:)", false),
    ] as [(String?, String, Bool)])
  func isPlain(_ mangled: String?, _ function: String, _ isPlain: Bool) {
    #expect(ParameterScan.isPlain(mangled, function: function) == isPlain)
  }
}
