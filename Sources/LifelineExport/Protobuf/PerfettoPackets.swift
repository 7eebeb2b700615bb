import SwiftProtobuf

/// Writes the packets of a Perfetto trace. A trace has a single, repeated field, so concatenated traces are one.
final class PerfettoPackets {
  private let sink: ByteSink
  private var message = Lifeline_Perfetto_Trace()
  private var tracks: UInt64 = 0

  init(_ sink: ByteSink) { self.sink = sink }

  /// Declares a track and returns its number.
  func track(in parent: UInt64 = 0, _ fill: (inout Lifeline_Perfetto_TrackDescriptor) -> Void) throws -> UInt64 {
    tracks += 1
    var track = Lifeline_Perfetto_TrackDescriptor()
    track.uuid = tracks
    if parent != 0 { track.parentUuid = parent }
    fill(&track)
    var packet = Lifeline_Perfetto_TracePacket()
    packet.trackDescriptor = track
    try add(packet)
    return tracks
  }

  func event(
    _ type: Lifeline_Perfetto_TrackEvent.TypeEnum, at time: UInt64, on track: UInt64,
    _ fill: (inout Lifeline_Perfetto_TrackEvent) -> Void = { _ in }
  ) throws {
    var event = Lifeline_Perfetto_TrackEvent()
    event.type = type
    event.trackUuid = track
    fill(&event)
    var packet = Lifeline_Perfetto_TracePacket()
    packet.timestamp = time
    packet.trackEvent = event
    try add(packet)
  }

  func count(_ value: Int64, at time: UInt64, on track: UInt64) throws {
    try event(.counter, at: time, on: track) { $0.counterValue = value }
  }

  static func annotation(_ name: String, _ value: String) -> Lifeline_Perfetto_DebugAnnotation {
    var annotation = Lifeline_Perfetto_DebugAnnotation()
    annotation.name = name
    annotation.stringValue = ExportName.clean(value)
    return annotation
  }

  private func add(_ packet: Lifeline_Perfetto_TracePacket) throws {
    message.packet = [packet]
    // All packets are from one writer, whose number may be any except 0.
    message.packet[0].trustedPacketSequenceID = 1
    try sink.write(message.serializedBytes() as [UInt8])
  }
}
