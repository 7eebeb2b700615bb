#pragma once
// Where code of a library keeps a thread-local word: found in its instructions, since the word has no symbol.
#include <stdbool.h>
#include <stdint.h>

/// The thread-local word at an offset from the calling thread's control block.
static inline uint64_t thread_local_word(int64_t offset) {
  uint64_t word;
  __asm__("mov %%fs:(%1), %0" : "=r"(word) : "r"(offset));
  return word;
}

/// Offset from the control block of a word that is always 0, to be read until another one is known.
int64_t thread_local_nothing(void);

/// The instruction after `push %rbp; mov %rsp,%rbp`, if the code begins with that.
const uint8_t *thread_local_after_prologue(const uint8_t *code);

/// Follows a call of __tls_get_addr, as in a shared library, or what the linker puts in its place where the library is
/// linked into the program: gives the instruction after it, or NULL if this is neither, and the offset from the control
/// block of the address in %rax, which is the same in all threads. NULL also for a library that was loaded later, which
/// has its words elsewhere in each thread; those of the program lie below the block.
const uint8_t *thread_local_base(const uint8_t *code, int64_t *offset);
