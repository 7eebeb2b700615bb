// Call frame information: DWARF 4 section 6.4 with the .eh_frame differences of the Linux Standard Base
// (LSB Core, "Exception Frames"). Only what decides CFA, rbp and the return address is kept.
#include "Unwinding/unwind_cfi.h"

#include <string.h>

enum {
  PE_ABSOLUTE = 0, PE_UDATA4 = 3, PE_UDATA8 = 4, PE_SDATA4 = 0xB, PE_SDATA8 = 0xC, PE_PCREL = 0x10,
  PE_DATAREL = 0x30, PE_OMIT = 0xFF
};
enum { REG_RBP = 6, REG_RSP = 7, REG_RA = 16 };
enum { OP_DEREF = 0x06, OP_BREG_RBP = 0x76 };

static uint64_t uleb(const uint8_t **p, const uint8_t *end) {
  uint64_t value = 0;
  for (unsigned shift = 0; *p < end; shift += 7) {
    uint8_t byte = *(*p)++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7F) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

static int64_t sleb(const uint8_t **p, const uint8_t *end) {
  int64_t value = 0;
  unsigned shift = 0;
  uint8_t byte = 0;
  do {
    if (*p >= end) return value;
    byte = *(*p)++;
    if (shift < 64) value |= (int64_t)(byte & 0x7F) << shift;
    shift += 7;
  } while (byte & 0x80);
  if (shift < 64 && (byte & 0x40)) value |= -((int64_t)1 << shift);
  return value;
}

static bool encoded(const uint8_t **p, uint8_t encoding, const uint8_t *data_base, uint64_t *value) {
  const uint8_t *at = *p;
  int64_t raw;
  int32_t small;
  uint32_t unsigned_small;
  switch (encoding & 0x0F) {
    case PE_ABSOLUTE: case PE_UDATA8: case PE_SDATA8: memcpy(&raw, at, 8); *p += 8; break;
    case PE_UDATA4: memcpy(&unsigned_small, at, 4); raw = unsigned_small; *p += 4; break;
    case PE_SDATA4: memcpy(&small, at, 4); raw = small; *p += 4; break;
    default: return false;
  }
  switch (encoding & 0x70) {
    case 0: *value = (uint64_t)raw; return true;
    case PE_PCREL: *value = (uint64_t)at + (uint64_t)raw; return true;
    case PE_DATAREL: *value = (uint64_t)data_base + (uint64_t)raw; return true;
    default: return false;
  }
}

typedef struct cie {
  uint64_t code_alignment;
  int64_t data_alignment;
  uint8_t pointer_encoding;
  bool is_signal, has_augmentation;
  const uint8_t *program, *end;
} cie;

static const uint8_t *entry(const uint8_t *at, const uint8_t **end) {
  uint32_t length;
  memcpy(&length, at, 4);
  if (length == 0xFFFFFFFF || length == 0) return NULL;  // 64-bit entries do not occur in .eh_frame
  *end = at + 4 + length;
  return at + 4;
}

static bool read_cie(const uint8_t *at, cie *out) {
  memset(out, 0, sizeof *out);
  const uint8_t *p = entry(at, &out->end);
  if (!p) return false;
  p += 4;  // CIE id
  uint8_t version = *p++;
  const char *augmentation = (const char *)p;
  p += strlen(augmentation) + 1;
  if (version != 1 && version != 3) return false;
  out->code_alignment = uleb(&p, out->end);
  out->data_alignment = sleb(&p, out->end);
  if (version == 1) p++;
  else uleb(&p, out->end);
  out->pointer_encoding = PE_ABSOLUTE;
  if (augmentation[0] == 'z') {
    out->has_augmentation = true;
    uint64_t size = uleb(&p, out->end);
    const uint8_t *after = p + size;
    for (const char *a = augmentation + 1; *a; a++) {
      uint64_t ignored;
      if (*a == 'R') out->pointer_encoding = *p++;
      else if (*a == 'L') p++;
      else if (*a == 'P') { uint8_t e = *p++; if (!encoded(&p, e & 0x7F, NULL, &ignored)) return false; }
      else if (*a == 'S') out->is_signal = true;
      else if (*a != 'B') break;
    }
    p = after;
  } else if (augmentation[0]) {
    return false;
  }
  out->program = p;
  return true;
}

typedef struct row {
  enum { CFA_UNKNOWN, CFA_REGISTER, CFA_DEREF_RBP } cfa;
  uint32_t cfa_register;
  int64_t cfa_offset;
  enum { RBP_SAME, RBP_AT_CFA, RBP_AT_RBP, RBP_LOST } rbp;
  int64_t rbp_offset;
  enum { RA_DEFAULT, RA_UNDEFINED, RA_ELSEWHERE } ra;
  unwind_saves saves;
} row;

static void set_save(row *r, uint64_t reg, unsigned place) {
  int index = reg < REG_RA ? unwind_saved_index((unsigned)reg) : -1;
  if (index >= 0) r->saves = unwind_with_save(r->saves, index, place);
}

static unsigned place_at_cfa(int64_t offset) {
  return offset < 0 && offset % 8 == 0 && offset > -8 * 0xFFF ? (unsigned)(-offset / 8) : UNWIND_SAVE_LOST;
}

static void set_register(row *r, uint64_t reg, int rule, int64_t offset) {
  if (reg == REG_RBP) { r->rbp = rule; r->rbp_offset = offset; }
  if (reg == REG_RA) r->ra = rule == RBP_AT_CFA && offset == -8 ? RA_DEFAULT : RA_ELSEWHERE;
  set_save(r, reg, rule == RBP_AT_CFA ? place_at_cfa(offset) : UNWIND_SAVE_LOST);
}

static void restore_register(row *r, uint64_t reg, const row *initial) {
  if (reg == REG_RBP) { r->rbp = initial->rbp; r->rbp_offset = initial->rbp_offset; }
  if (reg == REG_RA) r->ra = initial->ra;
  set_save(r, reg, 0);  // no CIE saves them
}

/// breg6 n; deref — what compilers write for the CFA of a frame whose stack pointer was realigned.
static void set_cfa_expression(row *r, const uint8_t *p, const uint8_t *end) {
  r->cfa = CFA_UNKNOWN;
  if (p < end && *p == OP_BREG_RBP) {
    p++;
    int64_t offset = sleb(&p, end);
    if (p + 1 == end && *p == OP_DEREF) { r->cfa = CFA_DEREF_RBP; r->cfa_offset = offset; }
  }
}

static void set_expression(row *r, uint64_t reg, const uint8_t *p, const uint8_t *end) {
  if (reg == REG_RBP) {
    r->rbp = RBP_LOST;
    if (p < end && *p == OP_BREG_RBP) {
      p++;
      int64_t offset = sleb(&p, end);
      if (p == end) { r->rbp = RBP_AT_RBP; r->rbp_offset = offset; }
    }
  } else if (reg == REG_RA) {
    r->ra = RA_ELSEWHERE;
  }
  set_save(r, reg, UNWIND_SAVE_LOST);
}

/// Runs a CFA program until it passes `address`; false at an instruction this interpreter does not know.
static bool run(const cie *c, const uint8_t *p, const uint8_t *end, uint64_t *location, uint64_t address, row *r,
                const row *initial) {
  row saved[8];
  int depth = 0;
  while (p < end) {
    uint8_t op = *p++;
    uint64_t reg, n;
    uint64_t advance = 0;
    switch (op >> 6) {
      case 1: advance = op & 63; goto advanced;
      case 2: n = uleb(&p, end); set_register(r, op & 63, RBP_AT_CFA, (int64_t)n * c->data_alignment); continue;
      case 3: restore_register(r, op & 63, initial); continue;
    }
    switch (op) {
      case 0x00: break;
      case 0x01: if (!encoded(&p, c->pointer_encoding, NULL, location)) return false;
                 if (*location > address) return true;
                 break;
      case 0x02: advance = *p; p += 1; goto advanced;
      case 0x03: advance = (uint64_t)p[0] | (uint64_t)p[1] << 8; p += 2; goto advanced;
      case 0x04: { uint32_t wide; memcpy(&wide, p, 4); advance = wide; p += 4; goto advanced; }
      case 0x05:
        reg = uleb(&p, end); n = uleb(&p, end);
        set_register(r, reg, RBP_AT_CFA, (int64_t)n * c->data_alignment); break;
      case 0x06: restore_register(r, uleb(&p, end), initial); break;
      case 0x07:
        reg = uleb(&p, end);
        if (reg == REG_RA) r->ra = RA_UNDEFINED;
        else if (reg == REG_RBP) r->rbp = RBP_SAME;
        set_save(r, reg, UNWIND_SAVE_LOST); break;
      case 0x08: reg = uleb(&p, end); if (reg == REG_RBP) r->rbp = RBP_SAME; set_save(r, reg, 0); break;
      case 0x09: reg = uleb(&p, end); uleb(&p, end); set_register(r, reg, RBP_LOST, 0); break;
      case 0x0A: if (depth == 8) return false; saved[depth++] = *r; break;
      case 0x0B: if (!depth) return false; *r = saved[--depth]; break;
      case 0x0C:
        r->cfa = CFA_REGISTER; r->cfa_register = (uint32_t)uleb(&p, end);
        r->cfa_offset = (int64_t)uleb(&p, end); break;
      case 0x0D: r->cfa = CFA_REGISTER; r->cfa_register = (uint32_t)uleb(&p, end); break;
      case 0x0E: r->cfa_offset = (int64_t)uleb(&p, end); break;
      case 0x0F:
        n = uleb(&p, end); if (n > (uint64_t)(end - p)) return false;
        set_cfa_expression(r, p, p + n); p += n; break;
      case 0x10: case 0x16:
        reg = uleb(&p, end); n = uleb(&p, end); if (n > (uint64_t)(end - p)) return false;
        if (op == 0x10) set_expression(r, reg, p, p + n); else set_register(r, reg, RBP_LOST, 0);
        p += n; break;
      case 0x11: reg = uleb(&p, end); set_register(r, reg, RBP_AT_CFA, sleb(&p, end) * c->data_alignment); break;
      case 0x12:
        r->cfa = CFA_REGISTER; r->cfa_register = (uint32_t)uleb(&p, end);
        r->cfa_offset = sleb(&p, end) * c->data_alignment; break;
      case 0x13: r->cfa_offset = sleb(&p, end) * c->data_alignment; break;
      case 0x14: case 0x15: reg = uleb(&p, end); sleb(&p, end); set_register(r, reg, RBP_LOST, 0); break;
      case 0x2E: uleb(&p, end); break;  // GNU_args_size
      default: return false;
    }
    continue;
  advanced:
    *location += advance * c->code_alignment;
    if (*location > address) return true;
  }
  return true;
}

static unwind_rule rule_of(const row *r, const cie *c) {
  if (r->ra == RA_UNDEFINED) return unwind_make(UNWIND_OUTERMOST, 0, false, 0);
  if (c->is_signal) return unwind_make(UNWIND_SIGNAL, 0, false, 0);
  if (r->ra != RA_DEFAULT || r->rbp == RBP_LOST) return unwind_make(UNWIND_UNKNOWN, 0, false, 0);
  if (r->cfa == CFA_DEREF_RBP && r->rbp == RBP_AT_RBP && r->rbp_offset == 0)
    return unwind_make(UNWIND_DEREF_RBP, r->cfa_offset, true, 0);
  bool saved = r->rbp == RBP_AT_CFA;
  if (r->cfa != CFA_REGISTER || r->rbp == RBP_AT_RBP ||
      (saved && (r->rbp_offset % 8 || r->rbp_offset / 8 != (int16_t)(r->rbp_offset / 8))))
    return unwind_make(UNWIND_UNKNOWN, 0, false, 0);
  if (r->cfa_register == REG_RSP) return unwind_make(UNWIND_FROM_RSP, r->cfa_offset, saved, r->rbp_offset);
  if (r->cfa_register == REG_RBP) return unwind_make(UNWIND_FROM_RBP, r->cfa_offset, saved, r->rbp_offset);
  return unwind_make(UNWIND_UNKNOWN, 0, false, 0);
}

/// The table of .eh_frame_hdr, sorted by first address: pairs of offsets from its own beginning.
static const int32_t *search_table(const uint8_t *header, uint64_t *count) {
  if (header[0] != 1 || header[2] == PE_OMIT || header[3] != (PE_DATAREL | PE_SDATA4)) return NULL;
  const uint8_t *p = header + 4;
  uint64_t ignored;
  if (!encoded(&p, header[1], header, &ignored) || !encoded(&p, header[2], header, count) || !*count) return NULL;
  return (const int32_t *)p;
}

/// Number of entries that begin at or before an address.
static uint64_t entries_before(const int32_t *pairs, uint64_t count, int64_t wanted) {
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (pairs[2 * middle] <= wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

typedef struct fde {
  cie common;
  uint64_t begin, size;
  const uint8_t *program, *end;
} fde;

static bool read_fde(const uint8_t *header, const uint8_t *at, fde *out) {
  const uint8_t *p = entry(at, &out->end);
  if (!p) return false;
  uint32_t back;
  memcpy(&back, p, 4);
  if (!back || !read_cie(p - back, &out->common)) return false;
  p += 4;
  if (!encoded(&p, out->common.pointer_encoding, header, &out->begin) ||
      !encoded(&p, out->common.pointer_encoding & 0x0F, header, &out->size)) return false;
  if (out->common.has_augmentation) { uint64_t skip = uleb(&p, out->end); p += skip; }
  out->program = p;
  return true;
}

bool unwind_cfi_gap(const uint8_t *header, uint64_t address, uint64_t *begin, uint64_t *end) {
  uint64_t count, before;
  const int32_t *pairs = search_table(header, &count);
  if (!pairs) return false;
  before = entries_before(pairs, count, (int64_t)(address - (uint64_t)header));
  fde previous;
  // Without an entry before it there is no place that is certainly the beginning of a function.
  if (!before || !read_fde(header, header + pairs[2 * (before - 1) + 1], &previous)) return false;
  *begin = (previous.begin + previous.size + 15) & ~(uint64_t)15;
  if (before < count) *end = (uint64_t)header + (uint64_t)(int64_t)pairs[2 * before];
  return *begin <= address;
}

static bool find_fde(const uint8_t *header, uint64_t address, fde *f) {
  uint64_t count, before;
  const int32_t *pairs = search_table(header, &count);
  if (!pairs) return false;
  before = entries_before(pairs, count, (int64_t)(address - (uint64_t)header));
  if (!before || !read_fde(header, header + pairs[2 * (before - 1) + 1], f)) return false;
  return address >= f->begin && address < f->begin + f->size;
}

bool unwind_cfi_function(const uint8_t *header, uint64_t address, uint64_t *begin, uint64_t *end) {
  fde f;
  if (!find_fde(header, address, &f)) return false;
  *begin = f.begin;
  *end = f.begin + f.size;
  return true;
}

bool unwind_cfi(const uint8_t *header, uint64_t address, unwind_rule *rule, unwind_saves *saves, uint64_t *begin,
                uint64_t *end) {
  fde f;
  if (!find_fde(header, address, &f)) return false;
  *begin = f.begin;
  *end = f.begin + f.size;
  row r = {0}, initial;
  uint64_t location = 0;
  if (!run(&f.common, f.common.program, f.common.end, &location, UINT64_MAX, &r, &r)) return false;
  initial = r;
  location = f.begin;
  *rule = run(&f.common, f.program, f.end, &location, address, &r, &initial) ? rule_of(&r, &f.common)
                                                                             : UNWIND_KNOWN_UNKNOWN;
  if (!*rule) *rule = UNWIND_KNOWN_UNKNOWN;
  *saves = r.saves;
  return true;
}
