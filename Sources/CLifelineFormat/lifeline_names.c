#include "lifeline_names.h"

#include "lifeline_format.h"

lifeline_kind_info lifeline_kind(uint32_t number) {
  switch (number) {
#define X(name, number, arguments, object, count) \
  case number: return (lifeline_kind_info){#name, arguments, object, count};
    LIFELINE_EVENT_KINDS(X)
#undef X
    default: return (lifeline_kind_info){0, 0, 0, 0};
  }
}

const char *lifeline_stop_sentence(uint32_t number) {
  switch (number) {
#define X(name, number, text) \
  case number: return text;
    LIFELINE_STOP_REASONS(X)
#undef X
    default: return 0;
  }
}

const char *lifeline_counter_name(uint32_t index) {
  switch (index) {
#define X(name, number, text) \
  case number: return #name;
    LIFELINE_COUNTERS(X)
#undef X
    default: return 0;
  }
}

const char *lifeline_counter_sentence(uint32_t index) {
  switch (index) {
#define X(name, number, text) \
  case number: return text;
    LIFELINE_COUNTERS(X)
#undef X
    default: return 0;
  }
}

uint64_t lifeline_sum(const void *bytes, uint64_t length) { return lifeline_checksum(bytes, length); }
