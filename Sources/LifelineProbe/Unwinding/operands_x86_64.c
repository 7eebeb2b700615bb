#include "Unwinding/operands_x86_64.h"

#include <string.h>

operands operands_decode(const uint8_t *p) {
  operands o = {.base = NO_REGISTER, .index = NO_REGISTER, .vvvv = NO_REGISTER};
  while (*p == 0x66 || *p == 0xF2 || *p == 0xF3 || *p == 0x2E || *p == 0x3E || *p == 0x64 || *p == 0x65 || *p == 0xF0)
    o.narrow |= *p++ == 0x66;
  if (*p == 0xC5) { o.vector = true; o.map = 1; o.rex = p[1] & 0x80 ? 0 : 4; o.vvvv = ~(p[1] >> 3) & 15; p += 2; }
  else if (*p == 0xC4 || *p == 0x62) {
    o.vector = true;
    o.map = p[1] & 3;
    o.rex = (uint8_t)~p[1] >> 5;
    o.vvvv = ~(p[2] >> 3) & 15;
    p += *p == 0xC4 ? 3 : 4;
  }
  else if ((*p & 0xF0) == 0x40) o.rex = *p++;
  if (!o.vector && *p == 0x0F) {
    o.map = 1;
    p++;
    if (*p == 0x38) { o.map = 2; p++; }
    else if (*p == 0x3A) { o.map = 3; p++; }
  }
  o.opcode = *p++;
  bool plain = o.map == 0 && !o.vector;
  if (plain)
    o.has_modrm = (o.opcode < 0x40 && (o.opcode & 7) < 4) || o.opcode == 0x63 || o.opcode == 0x69 || o.opcode == 0x6B ||
                  (o.opcode >= 0x80 && o.opcode <= 0x8F) || o.opcode == 0xC0 || o.opcode == 0xC1 || o.opcode == 0xC6 ||
                  o.opcode == 0xC7 || (o.opcode >= 0xD0 && o.opcode <= 0xD3) ||
                  (o.opcode >= 0xD8 && o.opcode <= 0xDF) || o.opcode == 0xF6 || o.opcode == 0xF7 || o.opcode >= 0xFE;
  else
    o.has_modrm = !(o.map == 1 && !o.vector &&
                    ((o.opcode >= 0x80 && o.opcode <= 0x8F) || (o.opcode >= 0xC8 && o.opcode <= 0xCF) ||
                     o.opcode == 0x05 || o.opcode == 0x0B || o.opcode == 0x31 || o.opcode == 0xA2));
  if (o.has_modrm) {
    uint8_t m = *p++, mode = m >> 6;
    o.reg = (m >> 3 & 7) | (o.rex & 4) << 1;
    o.rm = (m & 7) | (o.rex & 1) << 3;
    o.is_register = mode == 3;
    if (!o.is_register) {
      o.base = o.rm;
      if ((m & 7) == 4) {
        uint8_t sib = *p++;
        o.base = (sib & 7) | (o.rex & 1) << 3;
        o.index = (sib >> 3 & 7) | (o.rex & 2) << 2;
        if (o.index == RSP) o.index = NO_REGISTER;
        if ((sib & 7) == 5 && mode == 0) { o.base = NO_REGISTER; mode = 2; }
      } else if ((m & 7) == 5 && mode == 0) {
        o.relative = true;
        o.base = NO_REGISTER;
        mode = 2;
      }
      if (mode == 1) o.displacement = (int8_t)*p++;
      if (mode == 2) { memcpy(&o.displacement, p, 4); p += 4; }
    }
  } else {
    o.reg = o.rm = (o.opcode & 7) | (o.rex & 1) << 3;
  }
  o.immediate = p;
  return o;
}

static effect effect_plain(const operands *o) {
  uint8_t op = o->opcode, group = (uint8_t)(o->reg & 7);
  if (op < 0x40) {
    bool compares = op >= 0x38;
    if ((op & 7) < 2) return (effect){.rm = !compares};
    if ((op & 7) < 4) return (effect){.reg = !compares};
    return (effect){.fixed = compares ? 0 : 1u << RAX};
  }
  switch (op) {
    case 0x63: case 0x69: case 0x6B: case 0x8A: case 0x8B: return (effect){.reg = true};
    case 0x80: case 0x81: case 0x83: return (effect){.rm = group != 7};
    case 0x84: case 0x85: case 0xA8: case 0xA9: case 0x90: case 0x68: case 0x6A: return (effect){0};
    case 0x86: case 0x87: return (effect){.reg = true, .rm = true};
    case 0x88: case 0x89: case 0xC0: case 0xC1: case 0xC6: case 0xC7:
    case 0xD0: case 0xD1: case 0xD2: case 0xD3: return (effect){.rm = true};
    case 0x98: return (effect){.fixed = 1u << RAX};
    case 0x99: return (effect){.fixed = 1u << RDX};
    case 0xF6: case 0xF7:
      if (group < 2) return (effect){0};
      if (group < 4) return (effect){.rm = true};
      return (effect){.fixed = 1u << RAX | 1u << RDX};
    case 0xFE: case 0xFF: return (effect){.rm = group < 2, .unknown = group == 3 || group == 5 || group == 7};
    default: break;
  }
  if (op >= 0x91 && op <= 0x97) return (effect){.rm = true, .fixed = 1u << RAX};
  if (op >= 0xA4 && op <= 0xAF) return (effect){.fixed = 1u << RAX | 1u << RCX | 1u << RSI | 1u << RDI};
  if (op >= 0xB0 && op <= 0xBF) return (effect){.rm = true};
  return (effect){.unknown = true};
}

static effect effect_0f(const operands *o) {
  uint8_t op = o->opcode, group = (uint8_t)(o->reg & 7);
  if ((op >= 0x18 && op <= 0x1F) || op == 0x0D || op == 0x10 || op == 0x12 || op == 0x14 || op == 0x15 || op == 0x16 ||
      op == 0x28 || op == 0x2A || op == 0x2E || op == 0x2F || (op >= 0x51 && op <= 0x76) || op == 0xA3 || op == 0xC2 ||
      op == 0xC6)
    return (effect){0};
  if ((op >= 0x40 && op <= 0x4F) || op == 0x2C || op == 0x2D || op == 0x50 || op == 0xAF || op == 0xB6 || op == 0xB7 ||
      op == 0xB8 || (op >= 0xBC && op <= 0xBF) || op == 0xC5 || op == 0xD7)
    return (effect){.reg = true};
  if ((op >= 0x90 && op <= 0x9F) || op == 0xA4 || op == 0xA5 || op == 0xAB || op == 0xAC || op == 0xAD || op == 0xB3 ||
      op == 0xBB)
    return (effect){.rm = true};
  if (op >= 0xC8 && op <= 0xCF) return (effect){.rm = true};
  switch (op) {
    case 0x05: return (effect){.fixed = 1u << RAX | 1u << RCX | 1u << R11};
    case 0x31: return (effect){.fixed = 1u << RAX | 1u << RDX};
    case 0xA2: return (effect){.fixed = 1u << RAX | 1u << RBX | 1u << RCX | 1u << RDX};
    case 0xB0: case 0xB1: return (effect){.rm = true, .fixed = 1u << RAX};
    case 0xBA: return (effect){.rm = group != 4};
    case 0xC0: case 0xC1: return (effect){.reg = true, .rm = true};
    case 0xC7: return (effect){.rm = true, .fixed = 1u << RAX | 1u << RDX};
    case 0x01: case 0x0B: return (effect){.unknown = op == 0x01};
    default: return (effect){.reg = true, .rm = true};  // vector instructions: assume more changes rather than fewer
  }
}

effect operands_effect(const operands *o) {
  if (o->vector) return (effect){.reg = true, .rm = true};
  return o->map == 0 ? effect_plain(o) : o->map == 1 ? effect_0f(o) : (effect){.reg = true, .rm = true};
}

int32_t operands_store_size(const operands *o) {
  if (o->vector) return 64;
  if (o->map) return 16;
  if (o->opcode == 0x88 || o->opcode == 0xC6) return 1;
  return o->rex & 8 ? 8 : 4;
}
