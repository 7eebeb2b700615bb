#pragma once
// The fields of an event (lifeline_event.h).
#include <stdbool.h>
#include <stdint.h>

#include "Recording/thread_state.h"

static inline uint8_t *put_varint(uint8_t *p, uint64_t value) {
  while (value >= 0x80) {
    *p++ = (uint8_t)value | 0x80;
    value >>= 7;
  }
  *p++ = (uint8_t)value;
  return p;
}

static inline uint64_t zigzag(int64_t value) { return (uint64_t)value << 1 ^ (uint64_t)(value >> 63); }

static inline uint8_t *put_object(thread_state *t, uint8_t *p, uint64_t object, uint32_t slot, bool cached) {
  if (cached) {
    *p++ = (uint8_t)slot;
    return p;
  }
  uint64_t v = zigzag((int64_t)(object - t->last_object) / 8);
  *p++ = (uint8_t)(0x80 | (v & 63) | (v > 63 ? 0x40 : 0));
  return v > 63 ? put_varint(p, v >> 6) : p;
}
