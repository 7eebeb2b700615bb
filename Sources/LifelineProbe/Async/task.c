#include "Async/task.h"

#include <string.h>

#include "Process/runtime.h"

int64_t task_offset;
bool task_is_known;
static uint64_t (*number_of)(uint64_t task);

/// The displacement of `mov disp8(%rax),%rax` or `mov disp32(%rax),%rax`.
static bool displacement(const uint8_t *code, int32_t *value) {
  if (code[0] != 0x48 || code[1] != 0x8B) return false;
  if (code[2] == 0x40) { *value = (int8_t)code[3]; return true; }
  if (code[2] != 0x80) return false;
  memcpy(value, code + 3, 4);
  return true;
}

/// Where swift_task_getCurrent reads from.
static bool find_word(const uint8_t *code, int64_t *offset) {
  int32_t field;
  code = thread_local_base(thread_local_after_prologue(code), offset);
  if (!code || !displacement(code, &field)) return false;
  *offset += field;
  return *offset < 0;
}

void task_prepare(void) {
  task_offset = thread_local_nothing();
  const uint8_t *current = runtime_symbol("swift_task_getCurrent");
  number_of = (uint64_t (*)(uint64_t))runtime_symbol("swift_task_getJobTaskId");
  int64_t offset;
  task_is_known = current && number_of && find_word(current, &offset);
  if (task_is_known) task_offset = offset;
}

uint64_t task_number(uint64_t task) { return task ? number_of(task) : 0; }
