// One thunk per slot, so that the report can name the method:
//
//   mov $offset, %r11d         (r11 is scratch in every calling convention in use)
//   jmp *zombie_entry
//
// zombie_entry keeps all registers that may hold arguments: for a method called on the metadata itself (a
// class method through type(of:)) the real function is then called as if nothing had happened. Otherwise it
// returns zero in every register that a Swift function returns in: rax, rdx, rcx, r8 and xmm0…xmm3.
// An indirect result is left as the caller made it: its size is not known here.
#include "Detection/zombie_thunk.h"

#include <string.h>
#include <sys/mman.h>

#include "Process/memory.h"

enum { THUNK = 16 };

static uint8_t *thunks;

__attribute__((used)) static zombie_thunk_answer answer;

__attribute__((naked, used)) static void zombie_entry(void) {
  __asm__(
      "push %rbp\n"
      "mov %rsp, %rbp\n"
      ".cfi_def_cfa %rbp, 16\n .cfi_offset %rbp, -16\n"
      "push %rax\n push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %r10\n"
      "sub $128, %rsp\n"
      "movups %xmm0, (%rsp)\n movups %xmm1, 16(%rsp)\n movups %xmm2, 32(%rsp)\n movups %xmm3, 48(%rsp)\n"
      "movups %xmm4, 64(%rsp)\n movups %xmm5, 80(%rsp)\n movups %xmm6, 96(%rsp)\n movups %xmm7, 112(%rsp)\n"
      "mov %r13, %rdi\n"
      "mov %r11, %rsi\n"
      "mov %rbp, %rdx\n"
      "call *answer(%rip)\n"
      "mov %rax, %r11\n"
      "movups (%rsp), %xmm0\n movups 16(%rsp), %xmm1\n movups 32(%rsp), %xmm2\n movups 48(%rsp), %xmm3\n"
      "movups 64(%rsp), %xmm4\n movups 80(%rsp), %xmm5\n movups 96(%rsp), %xmm6\n movups 112(%rsp), %xmm7\n"
      "add $128, %rsp\n"
      "pop %r10\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n pop %rax\n"
      "pop %rbp\n"
      ".cfi_def_cfa %rsp, 8\n .cfi_restore %rbp\n"
      "test %r11, %r11\n"
      "jz 1f\n"
      "jmp *%r11\n"
      "1:\n"
      "xor %eax, %eax\n xor %edx, %edx\n xor %ecx, %ecx\n xor %r8d, %r8d\n"
      "xorps %xmm0, %xmm0\n xorps %xmm1, %xmm1\n xorps %xmm2, %xmm2\n xorps %xmm3, %xmm3\n"
      "ret\n");
}

bool zombie_thunk_prepare(zombie_thunk_answer called) {
  answer = called;
  size_t size = ZOMBIE_THUNKS * THUNK + 4096;  // the entry's address is the last word
  thunks = memory_pages(size, false);
  if (!thunks) return false;
  void (*entry)(void) = zombie_entry;
  for (uint32_t i = 0; i < ZOMBIE_THUNKS; i++) {
    uint8_t *at = thunks + (size_t)i * THUNK;
    uint32_t offset = i * 8;
    int32_t to_literal = (int32_t)(thunks + size - 8 - (at + 12));
    at[0] = 0x41; at[1] = 0xBB;  // mov $offset, %r11d
    memcpy(at + 2, &offset, 4);
    at[6] = 0xFF; at[7] = 0x25;  // jmp *literal(%rip)
    memcpy(at + 8, &to_literal, 4);
  }
  memcpy(thunks + size - 8, &entry, 8);
  return mprotect(thunks, size, PROT_READ | PROT_EXEC) == 0;
}

uint64_t zombie_thunk(uint32_t offset) { return (uint64_t)(thunks + (size_t)(offset / 8) * THUNK); }
