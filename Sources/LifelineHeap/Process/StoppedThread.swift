/// A thread of a stopped process, with its registers.
public struct StoppedThread: Sendable {
  /// The kernel's thread ID.
  public let id: Int
  public let name: String
  public let stackPointer: UInt64
  /// The thread control block: fs_base.
  public let controlBlock: UInt64
  /// General and vector registers, as words.
  public let registers: [UInt64]

  public init(id: Int, name: String, stackPointer: UInt64, controlBlock: UInt64, registers: [UInt64]) {
    self.id = id
    self.name = name
    self.stackPointer = stackPointer
    self.controlBlock = controlBlock
    self.registers = registers
  }

  /// The instruction that it runs: rip in the kernel's layout (struct user_regs_struct); nil if it is not known.
  public var instructionPointer: UInt64? { registers.count > 16 ? registers[16] : nil }

  /// Whether it waits in `sigsuspend`, as `dispatchMain()` makes the main thread do when it has ended its functions.
  public var isParkedByDispatch: Bool {
    // orig_rax in the kernel's layout (struct user_regs_struct), and rt_sigsuspend's number.
    registers.count > 15 && registers[15] == 130
  }
}
