/// A snapshot as bytes, as stored in a trace.
///
///   version │ process │ refusal │ notes │ types │ places │ nodes, each with its edges │ functions │ roots │ tasks
///   │ calls │ main │ code
///
/// Addresses are stored as differences, and edges as differences from their holder, because neighbors refer to
/// neighbors.
enum HeapSnapshotEncoding {
  /// Version 1 had no tasks, version 2 neither tasks' numbers nor the contents of fields, version 3 neither calls
  /// of exit nor whether the main thread has ended, version 4 neither code that threads run nor which fields are
  /// constants, version 5 not how fields can be cleared, version 6 not where metadata has their offsets, version 7 not
  /// what tasks wait for.
  private static let version = 8

  static func bytes(of snapshot: HeapSnapshot) -> [UInt8] {
    let graph = snapshot.graph
    var encoder = HeapEncoder(reserving: graph.count * 10 + graph.edgeCount * 10)
    encoder.add(version)
    encoder.add(snapshot.process)
    encoder.add(snapshot.refusal ?? "")
    encoder.add(snapshot.notes.count)
    for note in snapshot.notes { encoder.add(note) }
    encoder.add(graph.types.count)
    for type in graph.types { add(type, to: &encoder) }
    encoder.add(graph.places.count)
    for place in graph.places {
      encoder.add(place.name)
      encoder.add(place.base)
    }
    encoder.add(graph.count)
    var last: UInt64 = 0
    for node in 0..<graph.count {
      encoder.add(graph.addresses[node] &- last)
      last = graph.addresses[node]
      encoder.add(UInt64(graph.wordCounts[node]))
      encoder.add(UInt64(graph.typeIndexes[node]))
      if graph.typeIndexes[node] != 0 {
        encoder.add(UInt64(graph.strongCounts[node]))
        encoder.add(UInt64(graph.flags[node]))
      }
      let edges = graph.edges(from: node)
      encoder.add(edges.count)
      for edge in edges {
        encoder.addSigned(graph.target(of: edge) - node)
        encoder.add(graph.offset(of: edge))
      }
    }
    encoder.add(graph.edgeFunctions.count)
    for (edge, function) in graph.edgeFunctions.sorted(by: { $0.key < $1.key }) {
      encoder.add(UInt64(edge))
      encoder.add(function)
    }
    encoder.add(graph.roots.count)
    for root in graph.roots {
      encoder.add(Int(root.kind.rawValue))
      encoder.add(root.target)
      encoder.add(root.address)
      encoder.add(root.place)
    }
    encoder.add(graph.tasks.count)
    for (node, task) in graph.tasks.sorted(by: { $0.key < $1.key }) {
      encoder.add(UInt64(node))
      encoder.add(UInt64(task.number))
      encoder.add(Int(task.wait?.rawValue ?? 0))
      encoder.add(task.functions.count)
      for function in task.functions { encoder.add(function) }
    }
    encoder.add(graph.exitCalls.count)
    for call in graph.exitCalls { encoder.add(call) }
    encoder.add(graph.hasMainThreadEnded ? 1 : 0)
    encoder.add(graph.runningCode.count)
    for code in graph.runningCode {
      encoder.add(code.count)
      for address in code { encoder.add(address) }
    }
    return encoder.finished()
  }

  private static func add(_ type: HeapType, to encoder: inout HeapEncoder) {
    encoder.add(Int(type.kind.rawValue))
    encoder.add(type.name)
    encoder.add(type.metadata)
    encoder.add(type.isOwn ? 1 : 0)
    encoder.add(type.fields.count)
    for field in type.fields {
      encoder.add(field.name)
      encoder.add(field.offset)
      encoder.add(field.size)
      encoder.add(Int(field.ownership.rawValue))
      encoder.add(Int(field.content.rawValue))
      encoder.add(field.isConstant ? 1 : 0)
      encoder.add(Int(field.clearing.rawValue))
      encoder.add(field.offsetWord ?? 0)
    }
  }

  /// Nil if the bytes are damaged or have another version.
  static func snapshot(_ bytes: [UInt8]) -> HeapSnapshot? {
    var decoder = HeapDecoder(bytes)
    let version = decoder.number(below: Self.version + 1)
    guard version > 0 else { return nil }
    let process = decoder.number(below: 1 << 32)
    let refusal = decoder.text()
    let notes = (0..<decoder.count()).map { _ in decoder.text() }
    let graph = graph(&decoder, version)
    guard !decoder.failed, let graph else { return nil }
    return refusal.isEmpty
      ? HeapSnapshot(process: process, graph: graph, notes: notes) : HeapSnapshot(process: process, refusal: refusal)
  }

  private static func graph(_ decoder: inout HeapDecoder, _ version: Int) -> HeapGraph? {
    var graph = HeapGraph()
    graph.types = (0..<decoder.count()).map { _ in type(&decoder, version) }
    graph.places = (0..<decoder.count()).map { _ in HeapPlace(name: decoder.text(), base: decoder.number()) }
    guard !decoder.failed, !graph.types.isEmpty, !graph.places.isEmpty else { return nil }
    let count = decoder.count()
    var address: UInt64 = 0
    for node in 0..<count where !decoder.failed {
      let step = decoder.number()
      guard node == 0 || step > 0, address &+ step >= address else { return nil }
      address += step
      graph.addresses.append(address)
      graph.wordCounts.append(UInt32(decoder.number(below: 1 << 32)))
      graph.typeIndexes.append(UInt32(decoder.number(below: graph.types.count)))
      let isTyped = graph.typeIndexes[node] != 0
      graph.strongCounts.append(isTyped ? UInt32(decoder.number(below: 1 << 32)) : 0)
      graph.flags.append(isTyped ? UInt8(decoder.number(below: 256)) : 0)
      for _ in 0..<decoder.count() where !decoder.failed {
        let (target, overflow) = node.addingReportingOverflow(decoder.signed())
        guard !overflow, 0..<count ~= target else { return nil }
        graph.edgeTargets.append(UInt32(target))
        graph.edgeOffsets.append(UInt32(decoder.number(below: 1 << 32)))
      }
      graph.edgeStarts.append(UInt32(graph.edgeTargets.count))
    }
    for _ in 0..<decoder.count() where !decoder.failed {
      let edge = UInt32(decoder.number(below: graph.edgeCount))
      graph.edgeFunctions[edge] = decoder.number()
    }
    for _ in 0..<decoder.count() where !decoder.failed {
      let kind = HeapRoot.Kind(rawValue: UInt8(decoder.number(below: 256)))
      let root = HeapRoot(
        kind: kind ?? .memory, target: decoder.number(below: count), address: decoder.number(),
        place: decoder.number(below: graph.places.count))
      if !decoder.failed { graph.roots.append(root) }
    }
    for _ in 0..<(version > 1 ? decoder.count() : 0) where !decoder.failed {
      let node = UInt32(decoder.number(below: count))
      let number = version > 2 ? UInt32(truncatingIfNeeded: decoder.number()) : 0
      let wait = version > 7 ? HeapTask.Wait(rawValue: UInt8(decoder.number(below: 256))) : nil
      let functions = (0..<decoder.count()).map { _ in decoder.number() }
      graph.tasks[node] = HeapTask(number: number, functions: functions, wait: wait)
    }
    graph.exitCalls = (0..<(version > 3 ? decoder.count() : 0)).map { _ in decoder.number() }
    graph.hasMainThreadEnded = version > 3 && decoder.number(below: 2) == 1
    for _ in 0..<(version > 4 ? decoder.count() : 0) where !decoder.failed {
      graph.runningCode.append((0..<decoder.count()).map { _ in decoder.number() })
    }
    return decoder.failed ? nil : graph
  }

  private static func offsetWord(_ number: Int) -> Int? { number > 0 ? number : nil }

  private static func type(_ decoder: inout HeapDecoder, _ version: Int) -> HeapType {
    let kind = HeapType.Kind(rawValue: UInt8(decoder.number(below: 256))) ?? .other
    let name = decoder.text()
    let metadata = decoder.number()
    let isOwn = decoder.number(below: 2) == 1
    let fields = (0..<decoder.count()).map { _ in
      HeapField(
        name: decoder.text(), offset: decoder.number(below: 1 << 32), size: decoder.number(below: 1 << 32),
        ownership: HeapField.Ownership(rawValue: UInt8(decoder.number(below: 256))) ?? .strong,
        content: version > 2 ? HeapField.Content(rawValue: UInt8(decoder.number(below: 256))) ?? .anything : .object,
        isConstant: version > 4 && decoder.number(below: 2) == 1,
        clearing: version > 5 ? HeapField.Clearing(rawValue: UInt8(decoder.number(below: 256))) ?? .unknown : .unknown,
        offsetWord: version > 6 ? Self.offsetWord(decoder.number(below: 1 << 32)) : nil)
    }
    return HeapType(kind: kind, name: name, metadata: metadata, isOwn: isOwn, fields: fields)
  }
}
