#include "instruction_x86_64.h"

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

static bool has_modrm(uint8_t opcode) {
  if (opcode < 0x40) return (opcode & 7) < 4;  // the eight arithmetic groups
  switch (opcode) {
    case 0x63: case 0x69: case 0x6B:
    case 0x80: case 0x81: case 0x83: case 0x84: case 0x85: case 0x86: case 0x87:
    case 0x88: case 0x89: case 0x8A: case 0x8B: case 0x8D:
    case 0xC0: case 0xC1: case 0xC6: case 0xC7: case 0xD1: case 0xD3:
    case 0xF6: case 0xF7: case 0xFF: return true;
    default: return false;
  }
}

static bool known_without_modrm(uint8_t opcode) {
  return (opcode >= 0x50 && opcode <= 0x5F) || opcode == 0x90 || (opcode >= 0xB8 && opcode <= 0xBF) ||
         opcode == 0xC3 || opcode == 0x68 || opcode == 0x6A || opcode == 0xA8 || opcode == 0xA9 ||
         (opcode < 0x40 && ((opcode & 7) == 4 || (opcode & 7) == 5));
}

static bool decode(const uint8_t *code, decoded *out) {
  memset(out, 0, sizeof *out);
  const uint8_t *p = code;
  bool wide = false, small = false;
  while (*p == 0x66 || *p == 0xF2 || *p == 0xF3 || *p == 0x2E || *p == 0x64 || *p == 0xF0) {
    small |= *p == 0x66;
    if (++p - code > 6) return false;
  }
  if ((*p & 0xF0) == 0x40) { wide = *p & 8; p++; }
  uint8_t opcode = *p++, second = 0;
  bool modrm;
  size_t immediate = 0;
  if (opcode == 0x0F) {
    second = *p++;
    if (second >= 0x80 && second <= 0x8F) {
      out->kind = CONDITIONAL; out->condition = second & 15;
      out->branch = (size_t)(p - code); out->branch_size = 4; out->length = out->branch + 4;
      return true;
    }
    // long nop and endbr, conditional moves and sets, movzx, movsx, SSE moves, imul, bit tests
    modrm = second == 0x1E || second == 0x1F || (second >= 0x40 && second <= 0x4F) ||
            (second >= 0x90 && second <= 0x9F) || second == 0xB6 || second == 0xB7 || second == 0xBE ||
            second == 0xBF || second == 0x10 || second == 0x11 || second == 0x28 || second == 0x29 ||
            second == 0x57 || second == 0xAF || second == 0xA3 || second == 0xAB || second == 0x6F ||
            second == 0x7F || second == 0xBA;
    if (!modrm) return false;
    if (second == 0xBA) immediate = 1;
  } else if (opcode == 0xEB || (opcode >= 0x70 && opcode <= 0x7F)) {
    out->kind = opcode == 0xEB ? JUMP : CONDITIONAL;
    out->condition = opcode & 15;
    out->branch = (size_t)(p - code); out->branch_size = 1; out->length = out->branch + 1;
    return true;
  } else if (opcode == 0xE8 || opcode == 0xE9) {
    out->kind = opcode == 0xE8 ? CALL : JUMP;
    out->branch = (size_t)(p - code); out->branch_size = 4; out->length = out->branch + 4;
    return true;
  } else {
    modrm = has_modrm(opcode);
    if (!modrm && !known_without_modrm(opcode)) return false;
    if (opcode == 0x81 || opcode == 0xC7 || opcode == 0x69) immediate = small ? 2 : 4;
    else if (opcode == 0x80 || opcode == 0x83 || opcode == 0xC0 || opcode == 0xC1 || opcode == 0xC6 ||
             opcode == 0x6B || opcode == 0x6A || opcode == 0xA8) immediate = 1;
    else if (opcode == 0x68 || opcode == 0xA9) immediate = 4;
    else if (opcode >= 0xB8 && opcode <= 0xBF) immediate = wide ? 8 : small ? 2 : 4;
    else if (opcode < 0x40 && (opcode & 7) == 4) immediate = 1;
    else if (opcode < 0x40 && (opcode & 7) == 5) immediate = small ? 2 : 4;
    else if (opcode == 0xF6 && !(*p & 0x30)) immediate = 1;
    else if (opcode == 0xF7 && !(*p & 0x30)) immediate = small ? 2 : 4;
  }
  if (modrm) {
    uint8_t m = *p++, mode = m >> 6, rm = m & 7;
    if (mode != 3 && rm == 4) {
      uint8_t sib = *p++;
      if (mode == 0 && (sib & 7) == 5) p += 4;
    }
    if (mode == 0 && rm == 5) { out->displacement = (size_t)(p - code); p += 4; }
    else if (mode == 1) p += 1;
    else if (mode == 2) p += 4;
  }
  out->length = (size_t)(p - code) + immediate;
  return out->length <= 15;
}

size_t instruction_length(const uint8_t *code) {
  decoded d;
  return decode(code, &d) ? d.length : 0;
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
