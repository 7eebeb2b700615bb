#include "Async/queue.h"

#include <string.h>

#include "lifeline_format.h"
#include "Process/aside.h"
#include "Process/process.h"
#include "Process/runtime.h"
#include "TraceFile/record.h"

// libdispatch's queue_internal.h, struct dispatch_queue_s; is_known_form checks them.
enum { TARGET = 24, LABEL = 72, WIDTH = 80 };
enum { SLOTS = 1024, TRIES = 8, TARGETS = 16 };

int64_t queue_offset;
static uint64_t labels[SLOTS];  // half of a label's hash, and its string record

static uint64_t target_of(uint64_t queue) { return *(const uint64_t *)(queue + TARGET); }
static const char *label_of(uint64_t queue) { return *(const char *const *)(queue + LABEL); }
static bool is_serial(uint64_t queue) { return *(const uint16_t *)(queue + WIDTH) == 1; }

/// Where dispatch_get_current_queue reads from: from the base of libdispatch's words, `lea block(%rax),%rbx`, a check
/// whether the thread has begun, and `mov disp8(%rbx),%rcx`.
static bool find_word(const uint8_t *code, int64_t *offset) {
  enum { CHECK = 9 };  // cmpl $0,block(%rax); je
  static const uint8_t saves[2] = {0x53, 0x50}, lea[3] = {0x48, 0x8D, 0x98}, load[3] = {0x48, 0x8B, 0x4B};
  int32_t block;
  code = thread_local_after_prologue(code);
  if (memcmp(code, saves, sizeof saves)) return false;
  code = thread_local_base(code + sizeof saves, offset);
  if (!code || memcmp(code, lea, sizeof lea)) return false;
  memcpy(&block, code + sizeof lea, 4);
  code += sizeof lea + 4 + CHECK;
  if (memcmp(code, load, sizeof load)) return false;
  *offset += block + (int8_t)code[sizeof load];
  return *offset < 0;
}

/// Whether the main queue and its target, a queue of the system, have what is read of queues where it is expected.
static bool is_known_form(void) {
  enum { MAIN_NUMBER = 1 };
  static const char root[] = "com.apple.root.";
  const char *(*get_label)(uint64_t) = (const char *(*)(uint64_t))runtime_symbol("dispatch_queue_get_label");
  uint64_t main_queue = (uint64_t)runtime_symbol("_dispatch_main_q");
  if (!get_label || !main_queue || get_label(main_queue) != label_of(main_queue)) return false;
  if (strcmp(label_of(main_queue), LIFELINE_MAIN_QUEUE)) return false;
  if (!is_serial(main_queue) || queue_number(main_queue) != MAIN_NUMBER) return false;
  uint64_t target = target_of(main_queue);
  if (!target || get_label(target) != label_of(target) || is_serial(target)) return false;
  return !strncmp(label_of(target), root, sizeof root - 1);
}

void queue_prepare(void) {
  queue_offset = thread_local_nothing();
  const uint8_t *current = runtime_symbol("dispatch_get_current_queue");
  int64_t offset;
  if (current && find_word(current, &offset) && is_known_form()) queue_offset = offset;
  queue_begin_trace();
}

void queue_begin_trace(void) {
  memset(labels, 0, sizeof labels);
  if (queue_offset != thread_local_nothing()) the_process->header->flags |= LIFELINE_FLAG_QUEUES;
}

typedef struct new_label {
  const char *text;
  uint32_t id;
} new_label;

static void record(void *argument) {
  new_label *label = argument;
  label->id = record_new_string(label->text);
}

/// FNV-1a.
static uint64_t hash_of(const char *text) {
  uint64_t hash = 0xCBF29CE484222325ull;
  while (*text) hash = (hash ^ (uint8_t)*text++) * 0x100000001B3ull;
  return hash;
}

uint32_t queue_label(uint64_t queue) {
  // The code of a queue with a serial target runs alone on that, too.
  uint64_t serial = 0;
  for (int left = TARGETS; queue && left; queue = target_of(queue), left--)
    if (is_serial(queue)) serial = queue;
  if (!serial) return 0;
  new_label label = {label_of(serial), 0};
  if (!label.text || !*label.text) return 0;
  uint64_t hash = hash_of(label.text);
  for (uint32_t i = 0; i < TRIES; i++) {
    uint64_t *slot = &labels[(hash + i) & (SLOTS - 1)], known = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (!known) {
      if (!label.id) aside(record, &label);
      uint64_t new = (hash >> 32) << 32 | label.id;
      if (__atomic_compare_exchange_n(slot, &known, new, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return label.id;
    }
    if (known >> 32 == hash >> 32) return (uint32_t)known;
  }
  return 0;
}
