#define _GNU_SOURCE
#include "Lifecycle/examine.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "Async/async_context.h"
#include "Backtraces/stack.h"
#include "Backtraces/walk.h"
#include "Detection/guard.h"
#include "Detection/zombie.h"
#include "Process/filters.h"
#include "Process/memory.h"
#include "Process/options.h"
#include "Process/process.h"
#include "Unwinding/image.h"

enum { PATIENCE = 60 /* seconds: copying a gigabyte takes one */ };

/// A connection to the `lifeline` that records us, or -1 and `errno`.
static int connect_to_recorder(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  struct timeval limit = {PATIENCE, 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0) return fd;
  int error = errno;
  close(fd);
  errno = error;
  return -1;
}

static bool send_all(int fd, const void *bytes, size_t size) {
  const char *next = bytes;
  while (size) {
    ssize_t sent = send(fd, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    next += sent;
    size -= (size_t)sent;
  }
  return true;
}

/// If the kernel lets only a process's ancestors read its memory, this allows the recorder, too.
static void permit(int fd) {
#ifdef PR_SET_PTRACER
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
    prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0, 0, 0);
#endif
}

static void describe(lifeline_examine_request *request, uint64_t stack_pointer) {
  request->magic = LIFELINE_EXAMINE_MAGIC;
  request->process = (uint32_t)getpid();
  request->thread = (uint32_t)syscall(SYS_gettid);
  request->stack_pointer = stack_pointer;
  if (zombie_arena != ZOMBIE_NOWHERE) request->zombies = (lifeline_range){zombie_arena, zombie_arena + ZOMBIE_ARENA};
  if (guard_arena != GUARD_NOWHERE) {
    request->guards = (lifeline_range){guard_arena, guard_arena + guard_size};
    request->guard_owners = guard_table(&request->guard_pages);
  }
  uint32_t count = __atomic_load_n(&memory_range_count, __ATOMIC_ACQUIRE);
  request->range_count = count < LIFELINE_EXAMINE_RANGES ? count : LIFELINE_EXAMINE_RANGES;
  request->path_size = (uint32_t)strnlen(the_process->path, LIFELINE_EXAMINE_PATH);
}

_Static_assert(GUARD_NOWHERE == LIFELINE_NOWHERE && ZOMBIE_NOWHERE == LIFELINE_NOWHERE, "one value means nowhere");

__attribute__((visibility("default"))) const lifeline_own_memory_places lifeline_own_memory = {
    .magic = LIFELINE_EXAMINE_MAGIC,
    .zombie_size = ZOMBIE_ARENA,
    .ranges = memory_ranges,
    .range_count = &memory_range_count,
    .zombies = &zombie_arena,
    .guards = &guard_arena,
    .guard_size = &guard_size,
    .guard_owners = &guard_owners,
    .guard_pages = &guard_used_pages,
};

static bool ends_process(const image *code) {
  return code && (strstr(code->path, "/libc.so") || strstr(code->path, "/ld-linux"));
}

/// The registers with which a function of the program called exit; false if one of them is not known.
static bool read_registers(const walked_frame *caller, uint64_t low, uint64_t high, uint64_t *registers) {
  static const int numbers[] = {3, 12, 13, 14, 15};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  async_frame frame = {.pc = caller->pc, .slot = caller->slot, .is_return_address = true, .low = low, .high = high};
  for (int i = 0; i < COUNT; i++)
    if (!async_register(&frame, NULL, numbers[i], &registers[i])) return false;
  registers[COUNT] = caller->rbp;
  return true;
}

/// Where the stack that may hold objects begins: with the function that called exit. Stale words in the gaps of exit's
/// frames would keep objects that nothing refers to. If main has returned, no function of the program runs.
///
/// If a function of the program called exit, `request` gets its registers and the calls on the stack: an asynchronous
/// main function ends in that way, and optimized code keeps no variables for what never returns.
static uint64_t used_stack(call_site at, lifeline_examine_request *request) {
  enum { DEEPEST = 32, SAVED = 64 };
  // Registers of the callers are saved below the frame: six words at most.
  uint64_t used = (uint64_t)at - SAVED, low, high;
  bool is_main = (pid_t)syscall(SYS_gettid) == getpid();
  uint32_t calls = 0;
  stack_bounds(used, &low, &high);
  walker w = walk_from_call(call_site_slot(at), at[1], at[0], low, high);
  for (uint32_t depth = 0; low && depth < DEEPEST && calls < LIFELINE_EXAMINE_CALLS; depth++) {
    bool is_outside = calls || !ends_process(image_at(w.at.pc));
    walked_frame left = w.at;
    enum walk_outcome outcome = walk_step(&w, &left);
    if (outcome == WALK_OUTERMOST && is_outside && !calls && is_main) return left.slot;
    if (is_outside && (outcome == WALK_STEPPED || outcome == WALK_ASYNC)) {
      // The caller of an asynchronous function is not its caller on the stack.
      if (!calls) {
        request->exit_frame = outcome == WALK_ASYNC ? left.rbp + 8 : w.at.slot;
        if (read_registers(&left, low, high, request->registers)) used = left.slot;
        else memset(request->registers, 0, sizeof request->registers);
      }
      request->exit_calls[calls++] = left.pc;
    }
    if (outcome != WALK_STEPPED) break;
  }
  return used;
}

void examine_ask(call_site at) {
  static uint32_t asked;
  static lifeline_examine_request request;
  const char *path = the_options.examine;
  // A system call filter may end a program for opening a socket; such a program is left alone.
  if (!path || !*path || __atomic_exchange_n(&asked, 1, __ATOMIC_ACQ_REL) || !filters_are_known()) return;
  int saved = errno;
  int fd = connect_to_recorder(path);
  if (fd >= 0) {
    permit(fd);
    describe(&request, used_stack(at, &request));
    if (send_all(fd, &request, sizeof request) &&
        send_all(fd, memory_ranges, request.range_count * sizeof *memory_ranges) &&
        send_all(fd, the_process->path, request.path_size)) {
      char answer;
      while (recv(fd, &answer, 1, 0) < 0 && errno == EINTR) {}
    }
    close(fd);
  } else {
    the_process->header->examine_error = (uint32_t)errno;
  }
  errno = saved;
}
