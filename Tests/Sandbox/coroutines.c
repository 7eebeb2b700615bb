// Coroutines for a Swift program: run(count, rounds, in_heap, body) calls body(number, round) on `count` stacks in
// turn.
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 256 << 10, MOST = 64 };
static ucontext_t contexts[MOST], scheduler;
static void (*body)(int, int);
static int rounds;

static void coroutine(int number) {
  for (int round = 0; round < rounds; round++) {
    body(number, round);
    swapcontext(&contexts[number], &scheduler);
  }
}

void run(int count, int turns, int in_heap, void (*function)(int, int)) {
  body = function;
  rounds = turns;
  for (int i = 0; i < count && i < MOST; i++) {
    void *stack =
        in_heap ? malloc(STACK / 4) : mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!in_heap) mprotect(stack, 4096, PROT_NONE);  // otherwise the kernel merges all mappings into one
    getcontext(&contexts[i]);
    contexts[i].uc_stack.ss_sp = stack;
    contexts[i].uc_stack.ss_size = in_heap ? STACK / 4 : STACK;
    contexts[i].uc_link = &scheduler;
    makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
  }
  for (int round = 0; round < turns; round++)
    for (int i = 0; i < count && i < MOST; i++) swapcontext(&scheduler, &contexts[i]);
}
