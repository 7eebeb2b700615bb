#pragma once
// The registers and memory that an instruction names and changes. In doubt, something counts as changed.
#include <stdbool.h>
#include <stdint.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R11 = 11, R12, R13, R14, R15, NO_REGISTER = -1 };

typedef struct operands {
  unsigned map;  // 0, 1: 0F, 2: 0F38, 3: 0F3A
  uint8_t opcode, rex;
  bool vector;   // VEX or EVEX
  bool narrow;   // operand size 16
  int vvvv;
  bool has_modrm, is_register;  // the ModRM byte names a register, not memory
  int reg, rm;
  int base, index;  // of memory; NO_REGISTER when there is none
  bool relative;    // memory at a distance from the next instruction
  int32_t displacement;
  const uint8_t *immediate;  // after ModRM and displacement
} operands;

/// Whether an instruction writes the reg operand, the rm operand, and which fixed registers.
typedef struct effect {
  bool reg, rm, unknown;
  uint32_t fixed;
} effect;

/// Of an instruction whose length is known (instruction_x86_64.h).
operands operands_decode(const uint8_t *code);
effect operands_effect(const operands *o);
/// Bytes that it writes at most, when it writes memory.
int32_t operands_store_size(const operands *o);
