#define _GNU_SOURCE
#include "Detection/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "Detection/allocator.h"
#include "Detection/finding.h"
#include "Detection/sender.h"
#include "Detection/zombie.h"
#include "lifeline_examine.h"
#include "lifeline_format.h"
#include "Objects/class.h"
#include "Process/memory.h"
#include "Process/process.h"
#include "Recording/event.h"
#include "Recording/thread.h"

uint64_t guard_arena = GUARD_NOWHERE;
uint64_t guard_size = GUARD_ARENA;

enum { PAGE = 4096, FRESH_COUNTS = 3 /* the count word of a new object (object.h): one unowned reference, pure */ };

lifeline_guard_owner *guard_owners;  // by page number in the arena
uint64_t guard_used_pages;

// The kernel limits the number of mappings of a process, and each range of equal protection is one mapping. Objects get
// guards until these take a quarter of that number, and freed ones are protected until they take half, so that the
// program never reaches the limit.
static int64_t mappings, mapping_limit;

static struct sigaction previous_segv, previous_bus;
static uint32_t (*hook_access)(uint64_t pc);

static void on_fault(int number, siginfo_t *information, void *context);

static int64_t read_mapping_limit(void) {
  enum { KERNEL_DEFAULT = 65530 };
  char text[24] = "";
  int fd = open("/proc/sys/vm/max_map_count", O_RDONLY | O_CLOEXEC);
  ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  int64_t limit = 0;
  for (ssize_t i = 0; i < size && text[i] >= '0' && text[i] <= '9' && limit < INT32_MAX; i++)
    limit = limit * 10 + (text[i] - '0');
  return limit > 0 && limit < KERNEL_DEFAULT ? limit : KERNEL_DEFAULT;
}

bool guard_prepare(uint32_t (*access_at)(uint64_t pc)) {
  hook_access = access_at;
  mapping_limit = read_mapping_limit();
  uint64_t pages = GUARD_ARENA / PAGE;
  void *arena = mmap(NULL, GUARD_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  guard_owners = mmap(NULL, pages * sizeof *guard_owners, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (arena == MAP_FAILED || guard_owners == MAP_FAILED) return false;
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSEGV, &action, &previous_segv) != 0 || sigaction(SIGBUS, &action, &previous_bus) != 0) return false;
  guard_arena = (uint64_t)arena;
  guard_size = GUARD_ARENA;
  memory_note(guard_owners, pages * sizeof *guard_owners);
  return true;
}

static uint64_t page_limit(void) { return __atomic_load_n(&guard_size, __ATOMIC_RELAXED) / PAGE; }

uint64_t guard_table(uint64_t *pages) {
  uint64_t used = __atomic_load_n(&guard_used_pages, __ATOMIC_RELAXED), limit = page_limit();
  *pages = used < limit ? used : limit;
  return (uint64_t)guard_owners;
}

void guard_shrink(void) {
  enum { AT_WORK = 4096 /* pages that threads may be about to take */ };
  if (guard_arena == GUARD_NOWHERE) return;
  int saved = errno;
  uint64_t old = page_limit(), keep = __atomic_load_n(&guard_used_pages, __ATOMIC_RELAXED) + AT_WORK;
  // Owners lie 128 to a page.
  keep = (keep + PAGE / sizeof *guard_owners - 1) & ~(PAGE / sizeof *guard_owners - 1);
  if (keep < old) {
    __atomic_store_n(&guard_size, keep * PAGE, __ATOMIC_SEQ_CST);
    munmap((void *)(guard_arena + keep * PAGE), (old - keep) * PAGE);
    munmap(guard_owners + keep, (old - keep) * sizeof *guard_owners);
  }
  errno = saved;
}

static lifeline_guard_owner *owner_of(uint64_t address) { return &guard_owners[(address - guard_arena) / PAGE]; }
static void *page_of(const lifeline_guard_owner *o) {
  return (void *)(guard_arena + (uint64_t)(o - guard_owners) * PAGE);
}

/// The number of additional mappings if the pages are opened and their neighbors stay the same.
static int64_t added_by_opening(const lifeline_guard_owner *first, uint32_t pages) {
  bool before = first > guard_owners && first[-1].open,
       after = first + pages < guard_owners + page_limit() && first[pages].open;
  return 2 * (1 - before - after);
}

static bool open_pages(lifeline_guard_owner *first, uint32_t pages) {
  int64_t added = added_by_opening(first, pages);
  if (mprotect(page_of(first), (size_t)pages * PAGE, PROT_READ | PROT_WRITE) != 0) return false;
  for (uint32_t i = 0; i < pages; i++) first[i].open = true;
  __atomic_fetch_add(&mappings, added, __ATOMIC_RELAXED);
  return true;
}

/// Closes pages, and adjacent freed ones that could not be closed before.
static bool close_pages(lifeline_guard_owner *first, uint32_t pages) {
  lifeline_guard_owner *end = first + pages;
  while (first > guard_owners && first[-1].open && first[-1].freed) first--;
  while (end < guard_owners + page_limit() && end->open && end->freed) end++;
  pages = (uint32_t)(end - first);
  int64_t added = -added_by_opening(first, pages);
  if (added > 0 && __atomic_load_n(&mappings, __ATOMIC_RELAXED) + added > mapping_limit / 2) return false;
  // A fresh mapping frees the memory, and the kernel merges it with its neighbors.
  if (mmap(page_of(first), (size_t)pages * PAGE, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return false;
  for (uint32_t i = 0; i < pages; i++) first[i].open = false;
  __atomic_fetch_add(&mappings, added, __ATOMIC_RELAXED);
  return true;
}

/// Writes what glibc's malloc writes before a block that is a mapping of its own: its malloc_usable_size, realloc and
/// free then do the right thing wherever they are called from. They want the block at a power of two bytes into its
/// page.
static void put_block_header(uint64_t object, uint64_t before, uint64_t size) {
  enum { IS_MAPPED = 2 };
  ((uint64_t *)object)[-2] = before - 16;
  ((uint64_t *)object)[-1] = (size - (before - 16)) | IS_MAPPED;
}

void *guard_allocate(uint64_t metadata, size_t size) {
  if (__atomic_load_n(&mappings, __ATOMIC_RELAXED) + 2 > mapping_limit / 4 || size > UINT32_MAX / 2) return NULL;
  int saved = errno;
  uint64_t usable = allocator_usable_size(size), before = PAGE / 2;
  uint32_t pages = (uint32_t)((16 + usable + PAGE - 1) / PAGE);
  while (before + usable > (uint64_t)pages * PAGE) before /= 2;
  uint64_t first = __atomic_fetch_add(&guard_used_pages, pages, __ATOMIC_RELAXED);
  bool opened = first + pages <= page_limit() && open_pages(&guard_owners[first], pages);
  errno = saved;
  if (!opened) return NULL;
  uint64_t object = guard_arena + first * PAGE + before;
  for (uint32_t i = 0; i < pages; i++)
    guard_owners[first + i] = (lifeline_guard_owner){object, metadata, pages, (uint32_t)usable, false, true};
  put_block_header(object, before, (uint64_t)pages * PAGE);
  ((uint64_t *)object)[0] = metadata;
  ((uint64_t *)object)[1] = FRESH_COUNTS;
  return (void *)object;
}

size_t guard_usable_size(uint64_t object) {
  const lifeline_guard_owner *o = owner_of(object);
  return o->object == object ? o->usable : 0;
}

bool guard_free(uint64_t object) {
  lifeline_guard_owner *o = owner_of(object);
  if (o->object != object) return false;
  int saved = errno;
  for (uint32_t i = 0; i < o->pages; i++) o[i].freed = true;
  if (!close_pages(o, o->pages)) {
    process_count(LIFELINE_COUNTER_unguardedObjects);
    madvise(page_of(o), (size_t)o->pages * PAGE, MADV_DONTNEED);
  }
  errno = saved;
  return true;
}

/// How the object was accessed: by the program itself, or by one of our hooks for a retain or release.
static uint32_t access_kind(const ucontext_t *context) {
  uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
  bool writes = context->uc_mcontext.gregs[REG_ERR] & 2;
  uint32_t access = hook_access(pc);
  if (access) return access;
  return writes ? LIFELINE_ACCESS_write : LIFELINE_ACCESS_read;
}

static void report(uint64_t address, const ucontext_t *context) {
  lifeline_guard_owner *o = owner_of(address);
  thread_state *t = thread_enter((uint64_t)context->uc_mcontext.gregs[REG_RSP]);
  uint32_t access = access_kind(context);
  if (t) {
    uint64_t arguments[3] = {access, address, 0}, registers[NGREG];
    for (size_t i = 0; i < NGREG; i++) registers[i] = (uint64_t)context->uc_mcontext.gregs[i];
    sender_find(o->object, (uint64_t)context->uc_mcontext.gregs[REG_RSP], registers, NGREG, arguments);
    event_write_at_fault(t, LIFELINE_EVENT_useAfterFree, o->object, context, arguments, 3);
    // The hook of a retain or release reads the object again after the fault, and would report the zombie, too.
    t->faulted = (access == LIFELINE_ACCESS_retain || access == LIFELINE_ACCESS_release) && address == o->object &&
                         zombie_wanted()
                     ? o->object
                     : 0;
    thread_leave(t);
  }
  finding_announce("use after free", access, class_of(o->metadata), o->object, NULL);
}

/// Calls the handler that a signal had before ours, as the kernel would.
static void call_handler(struct sigaction *previous, int number, siginfo_t *information, void *context) {
  struct sigaction handler = *previous;
  if (handler.sa_flags & SA_RESETHAND) previous->sa_handler = SIG_DFL;
  // Both end with this handler: the mask is restored from the context.
  if (!(handler.sa_flags & SA_NODEFER)) sigaddset(&handler.sa_mask, number);
  sigprocmask(SIG_BLOCK, &handler.sa_mask, NULL);
  if (handler.sa_flags & SA_SIGINFO) handler.sa_sigaction(number, information, context);
  else handler.sa_handler(number);
}

static void pass_on(int number, siginfo_t *information, void *context) {
  struct sigaction *previous = number == SIGSEGV ? &previous_segv : &previous_bus;
  bool was_sent = information->si_code <= 0;  // by kill, raise or sigqueue: returning would not bring it again
  if (previous->sa_handler == SIG_IGN && was_sent) return;
  if (previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN) {
    call_handler(previous, number, information, context);
    return;
  }
  // The same signal again, with the action that it would have had without us.
  struct sigaction plain = *previous;
  plain.sa_handler = SIG_DFL;
  sigaction(number, &plain, NULL);
  if (was_sent && syscall(SYS_rt_tgsigqueueinfo, getpid(), (pid_t)syscall(SYS_gettid), number, information) != 0)
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
}

static void on_fault(int number, siginfo_t *information, void *context) {
  int saved = errno;
  uint64_t address = (uint64_t)information->si_addr;
  lifeline_guard_owner *o = information->si_code > 0 && guard_contains(address) ? owner_of(address) : NULL;
  if (!o || !o->freed) {
    pass_on(number, information, context);
    errno = saved;
    return;
  }
  report(address, context);
  // To continue, the object reads as zero, and behaves like a zombie.
  uint64_t object = o->object;
  o = owner_of(object);
  if (!o->open && !open_pages(o, o->pages)) {
    pass_on(number, information, context);
    return;
  }
  ((uint64_t *)object)[0] = o->metadata;
  ((uint64_t *)object)[1] = ~0ull;  // immortal
  if (zombie_wanted()) zombie_mark(object);
  errno = saved;
}
