#include "Detours/instruction_x86_64.h"

#include <string.h>

// Encoding: Intel SDM volume 2, chapter 2: [prefixes] [REX] opcode [ModRM [SIB] [displacement]] [immediate]
typedef struct decoded {
  size_t length;
  size_t displacement;  // offset of a RIP-relative 32-bit displacement, or 0
  size_t branch;        // offset of a branch displacement, or 0
  size_t branch_size;   // 1 or 4 bytes
  uint8_t condition;    // low nibble of a conditional jump
  enum { PLAIN, JUMP, CONDITIONAL, CALL } kind;
} decoded;

/// One-byte opcodes that are followed by a ModRM byte.
static bool has_modrm(uint8_t opcode) {
  if (opcode < 0x40) return (opcode & 7) < 4;  // the eight arithmetic groups
  if (opcode >= 0x80 && opcode <= 0x8F) return true;
  if (opcode >= 0xD0 && opcode <= 0xDF) return opcode < 0xD4 || opcode > 0xD7;
  switch (opcode) {
    case 0x63: case 0x69: case 0x6B: case 0xC0: case 0xC1: case 0xC6: case 0xC7:
    case 0xF6: case 0xF7: case 0xFE: case 0xFF: return true;
    default: return false;
  }
}

static bool known_without_modrm(uint8_t opcode) {
  return (opcode >= 0x50 && opcode <= 0x5F) || (opcode >= 0x90 && opcode <= 0x99) || opcode == 0x68 || opcode == 0x6A ||
         (opcode >= 0xA4 && opcode <= 0xBF) || opcode == 0xC2 || opcode == 0xC3 || opcode == 0xC9 || opcode == 0xCC ||
         opcode == 0xF4 || (opcode < 0x40 && ((opcode & 7) == 4 || (opcode & 7) == 5));
}

/// Immediate bytes of a one-byte opcode; `next` is the byte after it (the ModRM byte, if any).
static size_t immediate_size(uint8_t opcode, uint8_t next, bool wide, bool small) {
  size_t word = small ? 2 : 4;
  if (opcode < 0x40) return (opcode & 7) == 4 ? 1 : (opcode & 7) == 5 ? word : 0;
  if (opcode >= 0xB0 && opcode <= 0xB7) return 1;
  if (opcode >= 0xB8 && opcode <= 0xBF) return wide ? 8 : word;
  switch (opcode) {
    case 0x69: case 0x81: case 0xC7: case 0x68: case 0xA9: return word;
    case 0x6A: case 0x6B: case 0x80: case 0x83: case 0xC0: case 0xC1: case 0xC6: case 0xA8: return 1;
    case 0xC2: return 2;
    case 0xF6: return next & 0x30 ? 0 : 1;
    case 0xF7: return next & 0x30 ? 0 : word;
    default: return 0;
  }
}

/// Two-byte opcodes (0F xx, also under VEX and EVEX) that end in an immediate byte.
static bool second_has_immediate(uint8_t second) {
  return (second >= 0x70 && second <= 0x73) || second == 0xA4 || second == 0xAC || second == 0xBA || second == 0xC2 ||
         (second >= 0xC4 && second <= 0xC6);
}

static bool second_without_modrm(uint8_t second) {
  return second == 0x05 || second == 0x0B || (second >= 0x30 && second <= 0x37) || second == 0x77 ||
         (second >= 0xA0 && second <= 0xA2) || (second >= 0xA8 && second <= 0xAA) || (second >= 0xC8 && second <= 0xCF);
}

/// The ModRM byte at `p`, its SIB byte and displacement; returns what follows.
static const uint8_t *skip_modrm(const uint8_t *code, const uint8_t *p, decoded *out) {
  uint8_t m = *p++, mode = m >> 6, rm = m & 7;
  if (mode != 3 && rm == 4) {
    uint8_t sib = *p++;
    if (mode == 0 && (sib & 7) == 5) p += 4;
  }
  if (mode == 0 && rm == 5) { out->displacement = (size_t)(p - code); p += 4; }
  else if (mode == 1) p += 1;
  else if (mode == 2) p += 4;
  return p;
}

static bool branch(decoded *out, const uint8_t *code, const uint8_t *p, int kind, uint8_t condition, size_t size) {
  out->kind = kind;
  out->condition = condition & 15;
  out->branch = (size_t)(p - code);
  out->branch_size = size;
  out->length = out->branch + size;
  return true;
}

static bool decode(const uint8_t *code, decoded *out) {
  memset(out, 0, sizeof *out);
  const uint8_t *p = code;
  bool wide = false, small = false;
  while (*p == 0x66 || *p == 0xF2 || *p == 0xF3 || *p == 0x2E || *p == 0x3E || *p == 0x64 || *p == 0x65 || *p == 0xF0) {
    small |= *p == 0x66;
    if (++p - code > 10) return false;
  }
  unsigned map = 0;  // 1: 0F, 2: 0F38, 3: 0F3A
  if (*p == 0xC5) { map = 1; p += 2; }
  else if (*p == 0xC4) { map = p[1] & 31; p += 3; }
  else if (*p == 0x62) { map = p[1] & 7; p += 4; }
  else if ((*p & 0xF0) == 0x40) { wide = *p & 8; p++; }
  if (map > 3) return false;
  if (!map && *p == 0x0F) {
    map = 1;
    p++;
    if (*p == 0x38) { map = 2; p++; }
    else if (*p == 0x3A) { map = 3; p++; }
  }
  uint8_t opcode = *p++;
  if (map) {
    if (map == 1 && opcode >= 0x80 && opcode <= 0x8F) return branch(out, code, p, CONDITIONAL, opcode, 4);
    bool immediate = map == 3 || (map == 1 && second_has_immediate(opcode));
    if (map != 1 || !second_without_modrm(opcode)) p = skip_modrm(code, p, out);
    out->length = (size_t)(p - code) + immediate;
    return out->length <= 15;
  }
  if (opcode == 0xEB) return branch(out, code, p, JUMP, 0, 1);
  if (opcode >= 0x70 && opcode <= 0x7F) return branch(out, code, p, CONDITIONAL, opcode, 1);
  if (opcode == 0xE8 || opcode == 0xE9) return branch(out, code, p, opcode == 0xE8 ? CALL : JUMP, 0, 4);
  bool modrm = has_modrm(opcode);
  if (!modrm && !known_without_modrm(opcode)) return false;
  size_t immediate = immediate_size(opcode, *p, wide, small);
  if (modrm) p = skip_modrm(code, p, out);
  out->length = (size_t)(p - code) + immediate;
  return out->length <= 15;
}

size_t instruction_length(const uint8_t *code) {
  decoded d;
  return decode(code, &d) ? d.length : 0;
}

const uint8_t *instruction_branch_target(const uint8_t *code) {
  decoded d;
  if (!decode(code, &d) || d.kind == PLAIN || d.kind == CALL) return NULL;
  int32_t offset = 0;
  if (d.branch_size == 1) offset = (int8_t)code[d.branch];
  else memcpy(&offset, code + d.branch, 4);
  return code + d.length + offset;
}

static bool fits(int64_t value) { return value == (int32_t)value; }

size_t instruction_relocate(const uint8_t *from, size_t wanted, uint8_t *into, size_t *written) {
  size_t read = 0, put = 0;
  while (read < wanted) {
    decoded d;
    if (!decode(from + read, &d) || put + 16 > 64) return 0;
    if (d.kind == PLAIN) {
      memcpy(into + put, from + read, d.length);
      if (d.displacement) {
        int32_t old;
        memcpy(&old, from + read + d.displacement, 4);
        int64_t moved = (int64_t)old + (int64_t)(from + read) - (int64_t)(into + put);
        if (!fits(moved)) return 0;
        int32_t now = (int32_t)moved;
        memcpy(into + put + d.displacement, &now, 4);
      }
      put += d.length;
    } else {
      int32_t offset = 0;
      if (d.branch_size == 1) offset = (int8_t)from[read + d.branch];
      else memcpy(&offset, from + read + d.branch, 4);
      const uint8_t *target = from + read + d.length + offset;
      if (target > from && target < from + wanted) return 0;  // would land inside what is overwritten
      if (d.kind == CONDITIONAL) { into[put++] = 0x0F; into[put++] = 0x80 | d.condition; }
      else into[put++] = d.kind == CALL ? 0xE8 : 0xE9;
      int64_t moved = (int64_t)target - (int64_t)(into + put + 4);
      if (!fits(moved)) return 0;
      int32_t now = (int32_t)moved;
      memcpy(into + put, &now, 4);
      put += 4;
      // Nothing after an unconditional jump belongs to this path; the entry is shorter than the patch.
      if (d.kind == JUMP && read + d.length < wanted) return 0;
    }
    read += d.length;
  }
  *written = put;
  return read;
}
