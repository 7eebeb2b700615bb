#include "Unwinding/async_code.h"

#include <string.h>

#include "Detours/instruction_x86_64.h"
#include "Process/lock.h"
#include "Unwinding/operands_x86_64.h"

enum { SLOTS = 14, TARGETS = 256, STEPS = 60000, NO_BASE = -1 };

/// Registers that a called function gives back, r12 not among them: it carries a thrown error.
#define KEPT_BY_CALLS (1u << RBX | 1u << RBP | 1u << R13 | 1u << R14 | 1u << R15)

typedef struct state {
  uint32_t held;  // bit r: register r has the context; bit 16 + i: slot i has it
  int32_t depth;  // bytes below the return address
  int32_t base;   // depth at which rbp points, or NO_BASE
} state;

typedef struct analysis {
  const uint8_t *begin, *end, *pc;
  int32_t slot[SLOTS];  // from the address of the return address, negative
  uint32_t slots;
  struct target {
    const uint8_t *at;
    state in;
    bool waiting;
  } targets[TARGETS];
  uint32_t count, steps;
  uint32_t result;
  bool is_return_address, reached, failed;
} analysis;

static void meet(analysis *a, uint32_t held) {
  a->result = a->reached ? a->result & held : held;
  a->reached = true;
}

bool async_code_has_frame(const uint8_t *begin, const uint8_t *end) {
  static const uint8_t prologue[8] = {0x55, 0x41, 0x56, 0x48, 0x8D, 0x6C, 0x24, 0x08}, room[3] = {0x48, 0x83, 0xEC};
  // Room for what it will hand to the function that it ends in: sub $n, %rsp.
  if (end - begin > 4 && !memcmp(begin, room, sizeof room)) begin += 4;
  return end - begin > (ptrdiff_t)sizeof prologue && !memcmp(begin, prologue, sizeof prologue);
}

static void forget(state *s, int reg) {
  if (reg < 0) return;
  s->held &= ~(1u << reg);
  if (reg == RBP) s->base = NO_BASE;
}

/// Without a REX prefix the byte registers 4…7 are parts of the first four.
static void forget_operand(state *s, const operands *o, int reg) {
  forget(s, reg);
  bool bytes = o->map == 0 ? !(o->opcode & 1) || (o->opcode >= 0xB0 && o->opcode <= 0xB7) : o->map == 1;
  if (bytes && !o->rex && reg >= 4 && reg < 8) forget(s, reg & 3);
}

static void forget_slots(const analysis *a, state *s, int32_t from, int32_t to) {
  for (uint32_t i = 0; i < a->slots; i++)
    if (a->slot[i] + 8 > from && a->slot[i] < to) s->held &= ~(1u << (16 + i));
}

static uint32_t slot_bit(analysis *a, int32_t offset, bool make) {
  for (uint32_t i = 0; i < a->slots; i++)
    if (a->slot[i] == offset) return 1u << (16 + i);
  if (!make || a->slots == SLOTS) return 0;
  a->slot[a->slots] = offset;
  return 1u << (16 + a->slots++);
}

/// Whether an operand is a place in the frame.
static bool in_frame(const state *s, const operands *o, int32_t *offset) {
  if (!o->has_modrm || o->is_register || o->index != NO_REGISTER) return false;
  if (o->base == RSP) { *offset = -s->depth + o->displacement; return true; }
  if (o->base == RBP && s->base != NO_BASE) { *offset = -s->base + o->displacement; return true; }
  return false;
}

static void set_depth(analysis *a, state *s, int32_t depth) {
  if (depth < 0 || depth > 1 << 20) a->failed = true;
  else if (depth < s->depth) forget_slots(a, s, INT32_MIN / 2, -depth);
  s->depth = depth;
}

static void push(analysis *a, state *s, bool held) {
  set_depth(a, s, s->depth + 8);
  forget_slots(a, s, -s->depth, -s->depth + 8);
  if (held) s->held |= slot_bit(a, -s->depth, true);
}

static void join(analysis *a, const uint8_t *at, const state *s) {
  for (uint32_t i = 0; i < a->count; i++) {
    struct target *t = &a->targets[i];
    if (t->at != at) continue;
    if (t->in.depth != s->depth) { a->failed = true; return; }
    state merged = {t->in.held & s->held, s->depth, t->in.base == s->base ? s->base : NO_BASE};
    if (merged.held != t->in.held || merged.base != t->in.base) { t->in = merged; t->waiting = true; }
    return;
  }
  if (a->count == TARGETS) { a->failed = true; return; }
  a->targets[a->count++] = (struct target){at, *s, true};
}

static void apply(analysis *a, state *s, const operands *o) {
  effect e = operands_effect(o);
  int32_t offset;
  if (e.unknown) a->failed = true;
  // The first word of a context is its caller's: only a function that an await comes back to looks at it.
  if (o->has_modrm && !o->is_register && o->index == NO_REGISTER && o->displacement == 0 && o->base >= 0 &&
      s->held >> o->base & 1 && o->opcode != 0x8D)
    a->failed = true;
  for (int r = 0; r < 16; r++)
    if (e.fixed >> r & 1) forget(s, r);
  if (o->vector) forget(s, o->vvvv);
  if (e.reg) {
    if (o->reg == RSP && !o->map) a->failed = true;
    forget_operand(s, o, o->reg);
  }
  if (!e.rm) return;
  if (!o->has_modrm || o->is_register) {
    if (o->rm == RSP && !o->map) a->failed = true;
    forget_operand(s, o, o->rm);
  } else if (in_frame(s, o, &offset)) {
    forget_slots(a, s, offset, offset + operands_store_size(o));
  }
}

static void move(analysis *a, state *s, const operands *o) {
  bool whole = o->rex & 8, store = o->opcode == 0x89;
  int32_t offset;
  if (o->is_register) {
    int from = store ? o->reg : o->rm, to = store ? o->rm : o->reg;
    bool held = whole && s->held >> from & 1;
    if (to == RSP) {
      if (from != RBP || s->base == NO_BASE) a->failed = true;
      else set_depth(a, s, s->base);
      return;
    }
    forget(s, to);
    if (held) s->held |= 1u << to;
    if (to == RBP && from == RSP) s->base = s->depth;
    return;
  }
  if (!in_frame(s, o, &offset)) { apply(a, s, o); return; }
  if (store) {
    forget_slots(a, s, offset, offset + (whole ? 8 : 4));
    if (whole && s->held >> o->reg & 1) s->held |= slot_bit(a, offset, true);
  } else {
    bool held = whole && (s->held & slot_bit(a, offset, false));
    forget(s, o->reg);
    if (held) s->held |= 1u << o->reg;
  }
}

static void load_address(analysis *a, state *s, const operands *o) {
  int32_t offset;
  bool frame = in_frame(s, o, &offset);
  if (o->reg == RSP) {
    if (frame) set_depth(a, s, -offset);
    else a->failed = true;
    return;
  }
  // A frame for a context that does not begin with the function, or an object whose extent is not known.
  if (o->reg == RBP && frame) a->failed = true;
  if (frame) forget_slots(a, s, offset, offset + 8);
  forget(s, o->reg);
}

/// A jump through a table, as compilers write it: cmp $last,%index; ja …; lea table(%rip),%table; movslq
/// (%table,%index,4),%entry; add %table,%entry; jmp *%entry. The table holds distances from itself.
typedef struct dispatch {
  const uint8_t *table;
  uint32_t last;
  int index, base, entry, sum;
} dispatch;

static void watch(dispatch *d, const operands *o, const uint8_t *next) {
  if (o->map || o->vector) return;
  if (o->is_register && (o->opcode == 0x83 || o->opcode == 0x81) && (o->reg & 7) == 7) {
    int32_t last;
    if (o->opcode == 0x83) last = (int8_t)*o->immediate;
    else memcpy(&last, o->immediate, 4);
    *d = (dispatch){NULL, (uint32_t)last, o->rm, NO_REGISTER, NO_REGISTER, NO_REGISTER};
  } else if (o->opcode == 0x8D && o->relative) {
    d->table = next + o->displacement;
    d->base = o->reg;
    d->entry = d->sum = NO_REGISTER;
  } else if (o->opcode == 0x63 && !o->is_register && d->table && o->base == d->base && o->index == d->index &&
             !o->displacement) {
    d->entry = o->reg;
  } else if (o->is_register && (o->opcode == 0x01 || o->opcode == 0x03) && d->entry != NO_REGISTER &&
             ((o->rm == d->entry && o->reg == d->base) || (o->rm == d->base && o->reg == d->entry))) {
    d->sum = o->opcode == 0x01 ? o->rm : o->reg;
  }
}

static void follow_table(analysis *a, const dispatch *d, int reg, const state *s) {
  if (d->sum == NO_REGISTER || d->sum != reg || d->last > 4095) { a->failed = true; return; }
  for (uint32_t i = 0; i <= d->last && !a->failed; i++) {
    int32_t distance;
    memcpy(&distance, d->table + 4 * i, 4);
    const uint8_t *to = d->table + distance;
    if (to < a->begin || to >= a->end) a->failed = true;
    else join(a, to, s);
  }
}

/// Follows one path from `p` until it ends or meets one that is known.
static void follow(analysis *a, const uint8_t *p, state s) {
  dispatch table = {NULL, 0, NO_REGISTER, NO_REGISTER, NO_REGISTER, NO_REGISTER};
  for (const uint8_t *start = p; !a->failed; ) {
    if (p >= a->end) return;  // after a call that does not come back
    if (++a->steps > STEPS) { a->failed = true; return; }
    if (p != start)
      for (uint32_t i = 0; i < a->count; i++)
        if (a->targets[i].at == p) { join(a, p, &s); return; }
    if (p == a->pc && !a->is_return_address) meet(a, s.held);
    size_t length = instruction_length(p);
    if (!length) { a->failed = true; return; }
    operands o = operands_decode(p);
    const uint8_t *next = p + length, *to = instruction_branch_target(p);
    bool plain = o.map == 0 && !o.vector;
    uint8_t group = (uint8_t)(o.reg & 7);
    if (plain && (o.opcode == 0xE8 || (o.opcode == 0xFF && group == 2))) {
      s.held &= KEPT_BY_CALLS | 0xFFFF0000u;
      if (next == a->pc && a->is_return_address) meet(a, s.held);
    } else if (plain && (o.opcode == 0xE9 || o.opcode == 0xEB)) {
      // Without a frame it may lead to another function; looking there too does no harm.
      if (to && to >= a->begin && to < a->end) join(a, to, &s);
      return;
    } else if (plain && o.opcode == 0xFF && group == 4) {
      if (s.depth || table.entry != NO_REGISTER) follow_table(a, &table, o.is_register ? o.rm : NO_REGISTER, &s);
      return;
    } else if ((plain && (o.opcode == 0xC3 || o.opcode == 0xC2 || o.opcode == 0xCC || o.opcode == 0xF4)) ||
               (o.map == 1 && o.opcode == 0x0B)) {
      return;
    } else if (to) {
      if (to < a->begin || to >= a->end) { if (s.depth) a->failed = true; }
      else join(a, to, &s);
    } else if (plain && o.opcode >= 0x50 && o.opcode <= 0x57) {
      push(a, &s, s.held >> o.reg & 1);
    } else if (plain && o.opcode >= 0x58 && o.opcode <= 0x5F) {
      bool held = s.held & slot_bit(a, -s.depth, false);
      set_depth(a, &s, s.depth - 8);
      forget(&s, o.reg);
      if (held) s.held |= 1u << o.reg;
    } else if (plain && (o.opcode == 0x68 || o.opcode == 0x6A || (o.opcode == 0xFF && group == 6))) {
      push(a, &s, false);
    } else if (plain && o.opcode == 0xC9) {
      if (s.base == NO_BASE) a->failed = true;
      else set_depth(a, &s, s.base - 8);
      forget(&s, RBP);
    } else if (plain && (o.opcode == 0x81 || o.opcode == 0x83) && o.is_register && o.rm == RSP) {
      int32_t amount;
      if (o.opcode == 0x83) amount = (int8_t)*o.immediate;
      else memcpy(&amount, o.immediate, 4);
      if (group == 0) set_depth(a, &s, s.depth - amount);
      else if (group == 5) set_depth(a, &s, s.depth + amount);
      else if (group != 7) a->failed = true;
    } else if (plain && o.opcode == 0x8D) {
      load_address(a, &s, &o);
    } else if (plain && (o.opcode == 0x89 || o.opcode == 0x8B) && !o.narrow) {
      move(a, &s, &o);
    } else {
      apply(a, &s, &o);
    }
    watch(&table, &o, next);
    p = next;
  }
}

async_place async_code_find(const uint8_t *begin, const uint8_t *end, const uint8_t *pc, bool is_return_address) {
  static analysis scratch;
  lock_take(LOCK_ASYNC);
  analysis *a = &scratch;
  a->begin = begin;
  a->end = end;
  a->pc = pc;
  a->is_return_address = is_return_address;
  a->slots = a->steps = a->result = 0;
  a->reached = a->failed = false;
  a->count = 1;
  a->targets[0] = (struct target){begin, {1u << R14, 0, NO_BASE}, true};
  for (bool more = true; more && !a->failed; ) {
    more = false;
    for (uint32_t i = 0; i < a->count && !a->failed; i++) {
      if (!a->targets[i].waiting) continue;
      a->targets[i].waiting = false;
      more = true;
      follow(a, a->targets[i].at, a->targets[i].in);
    }
  }
  async_place place = {ASYNC_NOWHERE, 0};
  if (!a->failed && a->reached) {
    static const int order[] = {RBP, R14, RBX, R15, R13};
    for (unsigned i = 0; i < sizeof order / sizeof *order && !place.kind; i++)
      if (a->result >> order[i] & 1) place = (async_place){ASYNC_IN_REGISTER, order[i]};
    // A slot is read at once; for a register the frames inside have to be walked.
    for (uint32_t i = 0; i < a->slots; i++)
      if (a->result >> (16 + i) & 1) { place = (async_place){ASYNC_IN_SLOT, a->slot[i]}; break; }
  }
  lock_drop(LOCK_ASYNC);
  return place;
}
