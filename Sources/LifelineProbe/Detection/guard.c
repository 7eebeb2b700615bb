#define _GNU_SOURCE
#include "Detection/guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "Hooks/class.h"
#include "Recording/event.h"
#include "Recording/memory.h"
#include "Detection/finding.h"
#include "lifeline_format.h"
#include "Recording/thread.h"
#include "Process/process.h"
#include "Detection/zombie.h"

uint64_t guard_arena = GUARD_NOWHERE;

enum { PAGE = 4096, FRESH_COUNTS = 3 /* the count word of a new object (object.h): one unowned reference, pure */ };

/// Whose a page is; by page number in the arena.
static struct owner {
  uint64_t object, metadata;
  uint32_t pages;
  bool freed;
} *owners;
static uint64_t used_pages;
static struct sigaction previous_segv, previous_bus;

static void on_fault(int number, siginfo_t *information, void *context);

static uint32_t (*hook_access)(uint64_t pc);

bool guard_prepare(uint32_t (*access_at)(uint64_t pc)) {
  hook_access = access_at;
  uint64_t pages = GUARD_ARENA / PAGE;
  void *arena = mmap(NULL, GUARD_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  owners = mmap(NULL, pages * sizeof *owners, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED || owners == MAP_FAILED) return false;
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSEGV, &action, &previous_segv) != 0 || sigaction(SIGBUS, &action, &previous_bus) != 0) return false;
  guard_arena = (uint64_t)arena;
  memory_note(owners, pages * sizeof *owners);
  return true;
}

uint64_t guard_table(uint64_t *pages) {
  *pages = __atomic_load_n(&used_pages, __ATOMIC_RELAXED);
  return (uint64_t)owners;
}

static struct owner *owner_of(uint64_t address) { return &owners[(address - guard_arena) / PAGE]; }

void *guard_allocate(uint64_t metadata, size_t size) {
  uint32_t pages = (uint32_t)((size + PAGE - 1) / PAGE);
  uint64_t first = __atomic_fetch_add(&used_pages, pages, __ATOMIC_RELAXED);
  if (first + pages > GUARD_ARENA / PAGE) return NULL;
  uint64_t page = guard_arena + first * PAGE;
  int saved = errno;
  bool open = mprotect((void *)page, (size_t)pages * PAGE, PROT_READ | PROT_WRITE) == 0;
  errno = saved;
  if (!open) return NULL;
  // At the end of its pages, so that what lies behind the object is not the object's.
  uint64_t object = page + (((uint64_t)pages * PAGE - size) & ~15ull);
  for (uint32_t i = 0; i < pages; i++) owners[first + i] = (struct owner){object, metadata, pages, false};
  ((uint64_t *)object)[0] = metadata;
  ((uint64_t *)object)[1] = FRESH_COUNTS;
  return (void *)object;
}

void guard_free(uint64_t object) {
  struct owner *o = owner_of(object);
  int saved = errno;
  for (uint32_t i = 0; i < o->pages; i++) o[i].freed = true;
  void *page = (void *)(object & ~(uint64_t)(PAGE - 1));
  madvise(page, (size_t)o->pages * PAGE, MADV_DONTNEED);
  mprotect(page, (size_t)o->pages * PAGE, PROT_NONE);
  errno = saved;
}

/// How the object was touched: by the program itself, or by one of our hooks on its way into a retain or release.
static uint32_t access_kind(const ucontext_t *context) {
  uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  bool writes = context->uc_mcontext.gregs[REG_ERR] & 2;
  uint32_t access = hook_access(pc);
  if (access) return access;
  return writes ? LIFELINE_ACCESS_write : LIFELINE_ACCESS_read;
}

static void report(uint64_t address, const ucontext_t *context) {
  struct owner *o = owner_of(address);
  thread_state *t = thread_enter((uint64_t)context->uc_mcontext.gregs[REG_RSP]);
  uint32_t access = access_kind(context);
  if (t) {
    uint64_t arguments[3] = {access, address, 0};
    event_write_at_fault(t, LIFELINE_EVENT_useAfterFree, o->object, context, arguments, 3);
    thread_leave(t);
  }
  finding_announce("use after free", access, class_of(o->metadata), o->object);
}

static void pass_on(const struct sigaction *previous, int number, siginfo_t *information, void *context) {
  if (previous->sa_flags & SA_SIGINFO) {
    previous->sa_sigaction(number, information, context);
  } else if (previous->sa_handler == SIG_DFL || previous->sa_handler == SIG_IGN) {
    // The same fault again, with the action that it would have had without us.
    sigaction(number, previous, NULL);
  } else {
    previous->sa_handler(number);
  }
}

static void on_fault(int number, siginfo_t *information, void *context) {
  uint64_t address = (uint64_t)information->si_addr;
  if (information->si_code <= 0 || !guard_contains(address) || !owner_of(address)->freed) {
    pass_on(number == SIGSEGV ? &previous_segv : &previous_bus, number, information, context);
    return;
  }
  int saved = errno;
  struct owner *o = owner_of(address);
  report(address, context);
  // Going on means that the object reads as zero, and answers like a zombie.
  uint64_t object = o->object;
  mprotect((void *)(object & ~(uint64_t)(PAGE - 1)), (size_t)o->pages * PAGE, PROT_READ | PROT_WRITE);
  ((uint64_t *)object)[0] = o->metadata;
  ((uint64_t *)object)[1] = ~0ull;  // immortal
  if (zombie_wanted()) zombie_mark(object);
  errno = saved;
}
