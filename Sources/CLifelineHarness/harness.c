#define _GNU_SOURCE
#include "lifeline_harness.h"

#include <dlfcn.h>
#include <sched.h>
#include <string.h>

static lifeline_recorder the_recorder;
uint32_t lifeline_the_switch;

static bool take(void *handle) {
  lifeline_recorder found;
#define X(result, name, parameters)                                    \
  found.name = (result(*) parameters)dlsym(handle, "lifeline_" #name); \
  if (!found.name) return false;
  LIFELINE_CALLS(X)
#undef X
  the_recorder = found;
  return true;
}

const lifeline_recorder *lifeline_harness_recorder(void) { return &the_recorder; }

bool lifeline_harness_attach(void) { return the_recorder.start || take(RTLD_DEFAULT); }

const char *lifeline_harness_load(const char *path) {
  // Never unloaded, because the runtime's patched code calls it from the start.
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) return dlerror();
  return take(handle) ? 0 : "it is no probe of this version of Lifeline";
}

bool lifeline_harness_update(void) {
  bool on = the_recorder.is_recording && the_recorder.is_recording();
  __atomic_store_n(&lifeline_the_switch, on, __ATOMIC_RELEASE);
  return on;
}

// A preloaded probe has started before this runs.
__attribute__((constructor)) static void begin(void) {
  if (lifeline_harness_attach()) lifeline_harness_update();
}

void lifeline_harness_note(const lifeline_declaration *where, uint64_t object, uint32_t what, uint64_t reference,
                           const char *name) {
  // The recorder begins its backtrace at this frame, so it need not walk the library's frames.
  const uint64_t *at = __builtin_frame_address(0);
  lifeline_declaration record = *where;
  if (name) record.function = name;
  the_recorder.reference(at, &record, (const void *)object, what, (const void *)reference);
}

enum { NAMES = 4096, TRIES = 32 };

// Names of properties, found without a lock: an entry is complete once its text is set, and never changes.
static struct property {
  uint64_t metadata, offset;
  const char *text;
} properties[NAMES];
static uint32_t properties_lock;

static struct property *property_at(uint64_t metadata, uint64_t offset, uint32_t tries) {
  uint64_t hash = (metadata ^ offset << 48) * 0x9E3779B97F4A7C15ull;
  return &properties[((hash >> 48) + tries) % NAMES];
}

const char *lifeline_harness_name(uint64_t metadata, uint64_t offset) {
  for (uint32_t tries = 0; tries < TRIES; tries++) {
    struct property *here = property_at(metadata, offset, tries);
    const char *text = __atomic_load_n(&here->text, __ATOMIC_ACQUIRE);
    if (!text) return 0;
    if (here->metadata == metadata && here->offset == offset) return text;
  }
  // A crowded table omits names rather than looking each one up again.
  return "";
}

const char *lifeline_harness_remember(uint64_t metadata, uint64_t offset, const char *name) {
  while (__atomic_exchange_n(&properties_lock, 1, __ATOMIC_ACQUIRE)) sched_yield();
  const char *text = lifeline_harness_name(metadata, offset);
  for (uint32_t tries = 0; !text; tries++) {
    struct property *here = property_at(metadata, offset, tries);
    if (here->text) continue;
    here->metadata = metadata;
    here->offset = offset;
    text = *name ? strdup(name) : 0;
    if (!text) text = "";
    __atomic_store_n(&here->text, text, __ATOMIC_RELEASE);
  }
  __atomic_store_n(&properties_lock, 0, __ATOMIC_RELEASE);
  return text;
}
