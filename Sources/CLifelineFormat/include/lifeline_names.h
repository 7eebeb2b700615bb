#pragma once
// The names and sentences of the X-macro lists, for readers.
#include <stdint.h>

typedef struct lifeline_kind_info {
  const char *name;  // NULL for a number without an event kind
  uint8_t arguments;
  uint8_t has_object;
  uint8_t has_count;
} lifeline_kind_info;

/// Facts about event kind `number`; its name is NULL if there is no such kind.
lifeline_kind_info lifeline_kind(uint32_t number);
/// Sentence of a stop reason, or NULL.
const char *lifeline_stop_sentence(uint32_t number);
/// Identifier of a loss counter, or NULL.
const char *lifeline_counter_name(uint32_t index);
/// What a loss counter counts, or NULL.
const char *lifeline_counter_sentence(uint32_t index);
/// Checksum of a run of bytes, as lifeline_checksum.
uint64_t lifeline_sum(const void *bytes, uint64_t length);
