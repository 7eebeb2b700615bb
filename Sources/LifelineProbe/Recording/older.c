#include "Recording/older.h"

#include <stdbool.h>
#include <string.h>

#include "Objects/class.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "TraceFile/record.h"

enum { MET_SLOTS = 1 << 16 };

// Addresses of objects whose class the reader knows, as far as they fit; for others the class is recorded again.
static uint64_t *met;

static bool is_kept_in_part(void) { return the_options.keep_size || the_options.keep_time; }

void older_prepare(void) {
  if (!the_options.attached && !is_kept_in_part()) return;
  if (met) memset(met, 0, MET_SLOTS * sizeof *met);
  else met = memory_pages(MET_SLOTS * sizeof *met, false);
}

/// Whether the reader may not know what is at an address.
static bool is_unmet(uint64_t object) {
  uint64_t *slot = met ? &met[(object >> 4 ^ object >> 20) & (MET_SLOTS - 1)] : NULL;
  return slot && __atomic_exchange_n(slot, object, __ATOMIC_RELAXED) != object;
}

void older_meet(enum lifeline_event_kind kind, uint64_t object) {
  uint64_t metadata;
  if (kind == LIFELINE_EVENT_stray || !is_unmet(object)) return;
  if (kind == LIFELINE_EVENT_allocate || !memory_read((const void *)object, &metadata, sizeof metadata)) return;
  const class_info *c = class_of(metadata);
  if (c->id) record_older(c->id, object);
}

void older_name_freed(uint64_t object, uint32_t class_id) {
  if (is_kept_in_part() && class_id && is_unmet(object)) record_older(class_id, object);
}
