import LifelineAnalysis
import LifelineLifetimes

/// A leak's path as the report has it.
extension LeakWording {
  /// A compiler-generated thunk around a closure is not a closure of the source: what holds the thunk holds the
  /// closure. A closure whose context is the captured object itself was created with the thunk.
  static func withoutThunks(_ steps: [LeakStep], _ context: ReportContext) -> [LeakStep] {
    var kept: [LeakStep] = []
    var created: HistoryRow?
    for (index, step) in steps.enumerated() {
      let isOutside = step.kind == .closure && index + 1 < steps.count && steps[index + 1].kind == .closure
      if isOutside, isThunk(step, context) {
        created = step.allocation
        continue
      }
      kept.append(step)
      if step.kind == .closure { kept[kept.count - 1].allocation = step.allocation ?? created }
      created = nil
    }
    return kept
  }

  private static func isThunk(_ step: LeakStep, _ context: ReportContext) -> Bool {
    step.function.flatMap { context.names.symbolicator.closure(at: $0) }?.function.hasPrefix("reabstraction thunk")
      == true
  }

  /// Those whose boxes are steps after the closures that captured them; in a cycle the last step is the first.
  static func variables(_ steps: [LeakStep], _ context: ReportContext) -> [Int: BoxedVariable] {
    var found: [Int: BoxedVariable] = [:]
    for index in steps.indices.dropLast() where steps[index].kind == .variable {
      let before = index > 0 ? index - 1 : steps.count - 2
      guard steps[before].kind == .closure, let closure = steps[before].function else { continue }
      found[index] = BoxedVariable(capturedBy: closure, holding: steps[index + 1], context.names)
    }
    if let last = steps.indices.last, last > 0, steps[last].kind == .variable { found[last] = found[0] }
    return found
  }

  static func path(
    _ steps: [LeakStep], _ variables: [Int: BoxedVariable], _ context: ReportContext
  ) -> [Report.PathStep] {
    steps.indices.map { index in
      var result = step(steps[index], next: index + 1 < steps.count ? steps[index + 1] : nil, context)
      if let variable = variables[index] {
        result.property = variable.name
        (result.file, result.line, result.isNear) = (variable.file, variable.line, nil)
      }
      return result
    }
  }

  private static func step(_ step: LeakStep, next: LeakStep?, _ context: ReportContext) -> Report.PathStep {
    let kind =
      switch step.kind {
      case .object: "property"
      case .closure: "closure"
      case .storage: "storage"
      case .variable: "variable"
      case .task: "task"
      case .memory: "memory"
      }
    let functions = (step.function.map { [$0] } ?? []) + step.waitsIn
    let closure = context.names.symbolicator.place(in: functions)
    let isMade = step.kind == .closure || step.kind == .variable
    let row = isMade ? step.allocation ?? step.store : step.store
    let made = row?.event.kind == .allocate && !isMade ? next?.object : nil
    // The caller of the function that created a closure does not show where the closure is written.
    let frame = row.flatMap { row in
      isMade
        ? context.backtrace(row, role: .retain).innermostOwnFrame : context.backtrace(row, making: made).locatedFrame
    }
    // Only a closure's own code shows where it is written, and a task's where it waits.
    let isOwn = step.kind == .closure || step.kind == .task
    let knowsPlace = closure?.line != nil || isOwn
    let isCreated = step.kind == .closure && closure?.line == nil && row?.event.kind == .allocate
    let created = isCreated ? frame.flatMap { isParent($0.function, of: closure?.function) ? $0 : nil } : nil
    let function = isThunk(step, context) ? nil : closure?.function
    var result = Report.PathStep(
      class: step.className, property: step.property, kind: kind,
      object: step.object.flatMap { $0.number == 0 ? nil : $0.description },
      event: (step.store ?? row)?.event.sequence, isCut: step.isCut ? true : nil,
      bytes: step.bytes == 0 ? nil : step.bytes)
    result.function = function ?? (isOwn ? nil : row.map { context.place($0, making: made).function })
    if knowsPlace {
      (result.file, result.line) = (closure?.line == nil ? nil : closure?.file, closure?.line)
    } else {
      (result.file, result.line, result.isNear) = (frame?.file, frame?.line, frame?.isNear)
      if row == nil, step.stores.count > 1 {
        result.perhaps = step.stores.map { event($0, making: next?.object, context) }
      }
    }
    (result.createdFile, result.createdLine) = (created?.line == nil ? nil : created?.file, created?.line)
    return result
  }

  private static func event(
    _ row: HistoryRow, making object: ObjectID?, _ context: ReportContext
  ) -> Report.PathStep.Event {
    let backtrace = context.backtrace(row, making: row.event.kind == .allocate ? object : nil)
    let frame = backtrace.locatedFrame
    return Report.PathStep.Event(
      event: row.event.sequence, function: backtrace.responsible?.function, file: frame?.file, line: frame?.line,
      isNear: frame?.isNear)
  }

  /// Whether a closure expression is in a function: "closure #1 in Form.configure()".
  private static func isParent(_ function: String, of closure: String?) -> Bool {
    closure?.wholeMatch(of: /(?:merged )?closure #\d+ in (.+)/).map { $0.1 == function } ?? false
  }
}
