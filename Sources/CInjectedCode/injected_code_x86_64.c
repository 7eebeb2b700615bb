#include "injected_code.h"

// What the code below assumes about the area.
_Static_assert(offsetof(lifeline_injected_area, order) == 4 && offsetof(lifeline_injected_area, is_done) == 8 &&
                   offsetof(lifeline_injected_area, is_read) == 12 && offsetof(lifeline_injected_area, handle) == 16 &&
                   offsetof(lifeline_injected_area, result) == 24 && offsetof(lifeline_injected_area, thread) == 32 &&
                   offsetof(lifeline_injected_area, error) == 36 && offsetof(lifeline_injected_area, function) == 40 &&
                   offsetof(lifeline_injected_area, has_failed) == 48 &&
                   offsetof(lifeline_injected_area, pause) == 56 && offsetof(lifeline_injected_area, path) == 72 &&
                   offsetof(lifeline_injected_area, name) == 4168 &&
                   offsetof(lifeline_injected_area, argument) == LIFELINE_INJECTED_ARGUMENT,
               "the offsets below");
_Static_assert(sizeof(lifeline_injected_area) <= LIFELINE_INJECTED_AREA_SIZE, "the area has room");
_Static_assert(sizeof(lifeline_injected_parameters) == 88, "the words below");

// The red zone and the flags are preserved. XSAVE saves what the C library may use: x87, SSE, AVX, AVX-512 and
// protection keys, at most 2696 bytes. All signals are blocked except those caused by an instruction.
__asm__(
    ".section .rodata\n"
    ".balign 64\n"
    "lifeline_injected_begin:\n"
    "  .quad 0x454E494C4546494C\n"
    "resume: .quad 0\n"
    "area: .quad 0\n"
    "borrowed: .quad 0\n"
    "errno_location: .quad 0\n"
    "pthread_create_at: .quad 0\n"
    "pthread_self_at: .quad 0\n"
    "pthread_detach_at: .quad 0\n"
    "dlopen_at: .quad 0\n"
    "dlsym_at: .quad 0\n"
    "dlerror_at: .quad 0\n"
    "lifeline_injected_entry:\n"
    "  leaq -128(%rsp), %rsp\n"
    "  pushfq\n"
    "  pushq %rax\n  pushq %rbx\n  pushq %rcx\n  pushq %rdx\n  pushq %rsi\n  pushq %rdi\n  pushq %rbp\n"
    "  pushq %r8\n  pushq %r9\n  pushq %r10\n  pushq %r11\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, %rbp\n"
    "  cld\n"
    "  subq $3072, %rsp\n"
    "  andq $-64, %rsp\n"
    "  leaq 512(%rsp), %rdi\n"  // the header must be zero
    "  xorl %eax, %eax\n  movl $8, %ecx\n  rep stosq\n"
    "  movl $0x2E7, %eax\n  xorl %edx, %edx\n  xsave64 (%rsp)\n"
    "  movq %rsp, %rbx\n"
    "  subq $64, %rsp\n"
    "  movq held_signals(%rip), %rax\n  movq %rax, (%rsp)\n"
    "  movl $14, %eax\n  movl $2, %edi\n  movq %rsp, %rsi\n  leaq 8(%rsp), %rdx\n"  // rt_sigprocmask
    "  movl $8, %r10d\n  syscall\n"
    "  movl $9, %eax\n  movq area(%rip), %rdi\n  movl $0x8000, %esi\n  movl $3, %edx\n"  // mmap
    "  movl $0x100022, %r10d\n  movq $-1, %r8\n  xorl %r9d, %r9d\n  syscall\n"  // private, anonymous, there or nowhere
    "  cmpq area(%rip), %rax\n"
    "  jne 1f\n"
    "  movq %rax, %r12\n"
    "  call *errno_location(%rip)\n  movq %rax, %r13\n  movl (%rax), %r14d\n"
    "  leaq 16(%rsp), %rdi\n  xorl %esi, %esi\n  leaq new_thread(%rip), %rdx\n  movq %r12, %rcx\n"
    "  call *pthread_create_at(%rip)\n"
    "  movl %eax, 36(%r12)\n"
    "  movl %r14d, (%r13)\n"
    "  movl $1, (%r12)\n"
    "1:\n"
    "  movl $14, %eax\n  movl $2, %edi\n  leaq 8(%rsp), %rsi\n  xorl %edx, %edx\n  movl $8, %r10d\n  syscall\n"
    "  movl $0x2E7, %eax\n  xorl %edx, %edx\n  xrstor64 (%rbx)\n"
    "  movq %rbp, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %r11\n  popq %r10\n  popq %r9\n  popq %r8\n"
    "  popq %rbp\n  popq %rdi\n  popq %rsi\n  popq %rdx\n  popq %rcx\n  popq %rbx\n  popq %rax\n"
    "  popfq\n"
    "  leaq 128(%rsp), %rsp\n"
    "  jmp *resume(%rip)\n"

    "new_thread:\n"
    "  pushq %rbp\n  movq %rsp, %rbp\n  pushq %rbx\n  pushq %r12\n"
    "  movq %rdi, %rbx\n"
    "  movl $157, %eax\n  movl $15, %edi\n  leaq thread_name(%rip), %rsi\n  syscall\n"  // prctl(PR_SET_NAME)
    "  movl $186, %eax\n  syscall\n  movl %eax, 32(%rbx)\n"                             // gettid
    "  call *pthread_self_at(%rip)\n  movq %rax, %rdi\n  call *pthread_detach_at(%rip)\n"
    "  movl $10000, %r12d\n"
    "1:\n"
    "  cmpl $0, 4(%rbx)\n  jne 2f\n"
    "  call wait_a_little\n"
    "  decl %r12d\n  jnz 1b\n"
    "  jmp 6f\n"
    "2:\n"
    "  cmpl $1, 4(%rbx)\n  jne 6f\n"
    "  leaq 72(%rbx), %rdi\n  movl $0x1002, %esi\n  call *dlopen_at(%rip)\n"  // RTLD_NOW | RTLD_NODELETE
    "  movq %rax, 16(%rbx)\n  testq %rax, %rax\n  jz 3f\n"
    "  cmpl $1, 4(%rbx)\n  jne 6f\n"  // the caller no longer waits
    "  movq %rax, %rdi\n  leaq 4168(%rbx), %rsi\n  call *dlsym_at(%rip)\n"
    "  movq %rax, 40(%rbx)\n  testq %rax, %rax\n  jz 3f\n"
    "  leaq 4296(%rbx), %rdi\n  call *%rax\n"
    "  movq %rax, 24(%rbx)\n"
    "  jmp 4f\n"
    "3:\n"
    "  call *dlerror_at(%rip)\n  movq %rax, 24(%rbx)\n  movl $1, 48(%rbx)\n"
    "4:\n"
    "  movl $1, 8(%rbx)\n"
    "  movl $2000, %r12d\n"
    "5:\n"
    "  cmpl $0, 12(%rbx)\n  jne 6f\n"
    "  call wait_a_little\n"
    "  decl %r12d\n  jnz 5b\n"
    "6:\n"
    "  movl $11, %eax\n  movq %rbx, %rdi\n  movl $0x8000, %esi\n  syscall\n"  // munmap
    "  xorl %eax, %eax\n"
    "  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  ret\n"

    "wait_a_little:\n"  // nanosleep, a millisecond
    "  movq $0, 56(%rbx)\n  movq $1000000, 64(%rbx)\n"
    "  movl $35, %eax\n  leaq 56(%rbx), %rdi\n  xorl %esi, %esi\n  syscall\n"
    "  ret\n"

    ".balign 8\n"
    "held_signals: .quad ~(1 << 3 | 1 << 4 | 1 << 6 | 1 << 7 | 1 << 10 | 1 << 30)\n"  // ILL, TRAP, BUS, FPE, SEGV, SYS
    "thread_name: .asciz \"lifeline\"\n"
    ".balign 8\n"
    "lifeline_injected_end:\n"
    ".text\n");

extern const char lifeline_injected_begin[], lifeline_injected_entry[], lifeline_injected_end[];

const void *lifeline_injected_code(size_t *size, size_t *entry) {
  *size = (size_t)(lifeline_injected_end - lifeline_injected_begin);
  *entry = (size_t)(lifeline_injected_entry - lifeline_injected_begin);
  return lifeline_injected_begin;
}
