import Testing

/// The order of stores in event.c, record.c, trace_file.c and thread.c, and variants in which one of them is wrong.
@Suite struct CommitModelTests {
  private typealias Model = CommitModel
  private typealias Instruction = CommitModel.Instruction

  /// Which promise of the protocol is broken.
  enum Mistake: CaseIterable {
    case tagFirst, magicFirst, sealFirst, sumFirst, kindFirst, noRecordLock, handedFirst
  }

  private func event(_ number: Int, slot: Int, _ mistake: Mistake?) -> [Instruction] {
    let stores: [Instruction] = [
      .put(field: Model.payload(slot), value: number), .commit(field: Model.tag(slot), event: number),
    ]
    return mistake == .tagFirst ? stores.reversed() : stores
  }

  private func chunk(stream: Int, sequence: Int, _ mistake: Mistake?) -> [Instruction] {
    let header: [Instruction] = [
      .put(field: Model.stream, value: stream), .put(field: Model.sequence, value: sequence + 1),
    ]
    let magic = Instruction.put(field: Model.magic, value: 1)
    return [.claim] + (mistake == .magicFirst ? [magic] + header : header + [magic])
  }

  private func seal(_ mistake: Mistake?) -> [Instruction] {
    let (length, sum, sealed) = (
      Instruction.put(field: Model.length, value: 2), Instruction.put(field: Model.sum, value: 14),
      Instruction.put(field: Model.sealed, value: 1)
    )
    return switch mistake {
    case .sealFirst: [sealed, length, sum]
    case .sumFirst: [length, sealed, sum]
    default: [length, sum, sealed]
    }
  }

  private func record(_ number: Int, _ mistake: Mistake?) -> [Instruction] {
    let stores: [Instruction] = [
      .record(value: number), .give(register: 1, cell: Model.nextRecord), .commitRecord(value: number),
    ]
    let body =
      [.load(register: 1, cell: Model.nextRecord)]
      + (mistake == .kindFirst ? [stores[2], stores[1], stores[0]] : stores)
    return mistake == .noRecordLock
      ? body : [.lock(cell: Model.recordLock)] + body + [.store(cell: Model.recordLock, value: 0)]
  }

  /// One thread fills a chunk, begins the next one and ends; another continues in it; a third has its own stream.
  private func model(_ mistake: Mistake? = nil) -> CommitModel {
    let handOver: [Instruction] = [
      .lock(cell: Model.pool), .give(register: 0, cell: Model.handed), .store(cell: Model.pool, value: 0),
    ]
    var first =
      record(1, mistake) + chunk(stream: 1, sequence: 0, mistake) + event(11, slot: 0, mistake)
      + event(12, slot: 1, mistake) + seal(mistake)
    first += chunk(stream: 1, sequence: 1, mistake)
    first += mistake == .handedFirst ? handOver + event(13, slot: 0, nil) : event(13, slot: 0, mistake) + handOver
    let second: [Instruction] =
      record(2, mistake) + [.take(cell: Model.handed), .lock(cell: Model.pool), .store(cell: Model.pool, value: 0)]
      + event(14, slot: 1, mistake)
    let third = chunk(stream: 2, sequence: 0, mistake) + event(21, slot: 0, mistake)
    return CommitModel(programs: [first, second, third], streams: [1, 1, 2])
  }

  @Test("In every interleaving with a kill at any point, a reader sees exactly what was committed")
  func holds() throws { #expect(try model().check() > 40_000) }

  @Test("A wrong order of stores is detected", arguments: Mistake.allCases)
  func fails(_ mistake: Mistake) { #expect(throws: CommitModel.Violation.self) { try model(mistake).check() } }
}
