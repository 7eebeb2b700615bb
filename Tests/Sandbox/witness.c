// Records a process's environment and the results of its libc calls, for Scripts/prove-transparency. LD_PRELOAD it.
//
//   WITNESS_FOLDER  each process writes a file there, named with a number in the order in which they start
//   WITNESS_GATE    a file that the first process waits for before its main function, for at most ten seconds
//
// The lines of a file are: whether the process was started or forked, its number, its parent's name and its own; its
// state before main and at the end (descriptors, environment, signals, limits, mappings …); and each call of a watched
// libc function with errno before it, its result and errno after it. Calls of the recorder are passed on but not
// recorded. The file is written through a shared mapping, so that it needs no descriptor and a killed process leaves
// one, too.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <link.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 16 << 20 };

static char *text;             // SIZE bytes of the file, NULL if nothing is written
static _Atomic uint64_t used;  // bytes in use
static uintptr_t probe_begin, probe_end;
static atomic_bool has_begun, is_watching;

static void add(const char *line, int length) {
  if (!text || length <= 0) return;
  uint64_t place = atomic_fetch_add(&used, (uint64_t)length);
  if (place + (uint64_t)length <= SIZE) memcpy(text + place, line, (size_t)length);
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  char line[8192];
  va_list list;
  va_start(list, format);
  int length = vsnprintf(line, sizeof line - 1, format, list);
  va_end(list);
  if (length > (int)sizeof line - 2) length = (int)sizeof line - 2;
  line[length++] = '\n';
  add(line, length);
}

/// The name of the parent process.
static const char *parent(void) {
  static char name[32];
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/comm", syscall(SYS_getppid));
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  long count = syscall(SYS_read, file, name, sizeof name - 1);
  syscall(SYS_close, file);
  for (char *at = name; count > 0 && at < name + count; at++)
    if (*at == ' ' || *at == '\n') *at = 0;
  return count > 0 ? name : "unknown";
}

/// Opens this process's own file.
static void open_file(const char *how) {
  text = NULL;
  atomic_store(&used, 0);
  const char *folder = getenv("WITNESS_FOLDER");
  if (!folder) return;
  for (int number = 0; number < 10000; number++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", folder, number);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return;
    void *pages = MAP_FAILED;
    if (syscall(SYS_ftruncate, file, (long)SIZE) == 0)
      pages = (void *)syscall(SYS_mmap, NULL, (long)SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, (long)file, 0L);
    syscall(SYS_close, file);
    if (pages != MAP_FAILED) text = pages;
    break;
  }
  say("%s %ld %s %s", how, syscall(SYS_getpid), parent(), program_invocation_short_name);
}

static void in_child(void) {
  if (!text) return;
  syscall(SYS_munmap, text, (long)SIZE);
  open_file("forked");
}

static int find_probe(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  if (!strstr(info->dlpi_name, "libLifelineProbe")) return 0;
  probe_begin = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
    if (p->p_type != PT_LOAD) continue;
    if (begin < probe_begin) probe_begin = begin;
    if (end > probe_end) probe_end = end;
  }
  return 1;
}

static bool is_probe(const void *caller) { return (uintptr_t)caller >= probe_begin && (uintptr_t)caller < probe_end; }

/// Writes the lines of a file in /proc that `wants` selects; leaves no descriptor open.
static void say_lines(const char *when, const char *what, const char *path, bool (*wants)(const char *)) {
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  static char part[1 << 16];
  static atomic_flag in_use = ATOMIC_FLAG_INIT;
  while (atomic_flag_test_and_set(&in_use)) {}
  long count, kept = 0;
  while ((count = syscall(SYS_read, file, part + kept, sizeof part - 1 - (size_t)kept)) > 0) {
    part[kept += count] = 0;
    char *line = part, *end;
    for (; (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      if (!wants || wants(line)) say("%s %s %s", when, what, line);
    }
    kept -= line - part;
    memmove(part, line, (size_t)kept);
  }
  atomic_flag_clear(&in_use);
  syscall(SYS_close, file);
}

static bool is_wanted(const char *line) {
  static const char *const names[] = {"Umask",    "Groups",        "NSpid",  "Threads", "SigPnd",    "ShdPnd",
                                      "SigBlk",   "CapInh",        "CapPrm", "CapEff",  "CapBnd",    "NoNewPrivs",
                                      "Seccomp:", "Cpus_allowed:", "Uid",    "Gid",     "TracerPid", "Name"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strncmp(line, names[i], strlen(names[i]))) return true;
  return false;
}

static void say_signals(const char *when) {
  for (int number = 1; number <= 64; number++) {
    if (number == 32 || number == 33) continue;  // reserved by the C library: sigaction(3) rejects them
    struct {
      void *handler;
      unsigned long flags;
      void *restorer;
      uint64_t mask;
    } action;
    if (syscall(SYS_rt_sigaction, number, NULL, &action, 8) != 0) continue;
    if (action.handler == (void *)SIG_DFL && !action.flags) continue;
    Dl_info info = {0};
    const char *place = action.handler == (void *)SIG_DFL                 ? "default"
                        : action.handler == (void *)SIG_IGN               ? "ignored"
                        : dladdr(action.handler, &info) && info.dli_fname ? basename(info.dli_fname)
                                                                          : "somewhere";
    say("%s signal %d %s flags %lx mask %lx", when, number, place, action.flags & ~0x04000000ul, action.mask);
  }
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0)
    say("%s alternate stack flags %d size %zu", when, stack.ss_flags, stack.ss_flags & SS_DISABLE ? 0 : stack.ss_size);
}

/// Writes everything that a process gets from its parent and the kernel.
static void look(const char *when) {
  for (int number = 0; number < 256; number++) {
    char path[64], target[4096];
    snprintf(path, sizeof path, "/proc/self/fd/%d", number);
    long length = syscall(SYS_readlink, path, target, sizeof target - 1);
    if (length < 0) continue;
    target[length] = 0;
    say("%s descriptor %d %s flags %lx %lx", when, number, target, syscall(SYS_fcntl, number, F_GETFD, 0),
        syscall(SYS_fcntl, number, F_GETFL, 0));
  }
  for (char **entry = environ; entry && *entry; entry++) say("%s environment %s", when, *entry);
  char folder[4096];
  if (syscall(SYS_getcwd, folder, sizeof folder) > 0) say("%s folder %s", when, folder);
  say_lines(when, "status", "/proc/self/status", is_wanted);
  say_signals(when);
  for (int resource = 0; resource < RLIM_NLIMITS; resource++) {
    struct rlimit limit;
    if (syscall(SYS_prlimit64, 0, resource, NULL, &limit) == 0)
      say("%s limit %d %lx %lx", when, resource, limit.rlim_cur, limit.rlim_max);
  }
  for (int timer = 0; timer < 3; timer++) {
    struct {
      long seconds[4];
    } value;
    if (syscall(SYS_getitimer, timer, &value) == 0) say("%s timer %d %s", when, timer, value.seconds[2] ? "on" : "off");
  }
  say("%s numbers rounding %d mxcsr %x locale %s", when, fegetround(), __builtin_ia32_stmxcsr() & ~0x3fu,
      setlocale(LC_ALL, NULL));
  say_lines(when, "map", "/proc/self/maps", NULL);
}

static void begin(void) {
  if (atomic_exchange(&has_begun, true)) return;
  dl_iterate_phdr(find_probe, NULL);
  open_file("started");
  pthread_atfork(NULL, NULL, in_child);
}

static void wait_for_gate(void) {
  const char *gate = getenv("WITNESS_GATE");
  if (!gate) return;
  struct timespec time = {0, 2000000};
  for (int i = 0; i < 5000 && syscall(SYS_access, gate, F_OK) != 0; i++) syscall(SYS_nanosleep, &time, NULL);
  unsetenv("WITNESS_GATE");
}

static int (*the_main)(int, char **, char **);
static atomic_bool has_ended;

static void say_end(const char *how, int status) {
  int error = errno;
  say("%s %d", how, status);
  if (!atomic_exchange(&has_ended, true)) look("end");
  errno = error;
}

static int watched_main(int count, char **arguments, char **variables) {
  int error = errno;
  begin();
  wait_for_gate();
  dl_iterate_phdr(find_probe, NULL);
  say("errno %d", error);
  for (int i = 0; i < count; i++) say("argument %s", arguments[i]);
  look("start");
  atomic_store(&is_watching, true);
  errno = error;
  return the_main(count, arguments, variables);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int __libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *end);
int __libc_start_main(int (*main)(int, char **, char **), int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*loader)(void), void *end) {
  the_main = main;
  return NEXT(__libc_start_main)(watched_main, count, arguments, init, fini, loader, end);
}

void exit(int status) {
  say_end("exit", status);
  NEXT(exit)(status);
  __builtin_unreachable();
}
void _exit(int status) {
  say_end("_exit", status);
  NEXT(_exit)(status);
  __builtin_unreachable();
}

static void called(const void *caller, const char *name, int before, long result) {
  int error = errno;
  if (text && atomic_load(&is_watching) && !is_probe(caller)) {
    char thread = syscall(SYS_gettid) == syscall(SYS_getpid) ? 'm' : 't';
    if (result < 0) say("call %c %s errno %d result %ld errno %d", thread, name, before, result, error);
    else say("call %c %s errno %d result %ld", thread, name, before, result);
  }
  errno = error;
}

// Each line defines a watched libc function: the call is passed on with its arguments, and errno is preserved.
#define WATCH(type, name, parameters, arguments)                      \
  type name parameters {                                              \
    int before = errno;                                               \
    static __typeof__(&name) next;                                    \
    if (!next) next = NEXT(name);                                     \
    errno = before;                                                   \
    type result = next arguments;                                     \
    called(__builtin_return_address(0), #name, before, (long)result); \
    return result;                                                    \
  }

#define WATCH_OPEN(name, parameters, arguments, flags)                            \
  int name parameters {                                                           \
    int before = errno;                                                           \
    va_list list;                                                                 \
    va_start(list, flags);                                                        \
    unsigned mode = (flags) & (O_CREAT | O_TMPFILE) ? va_arg(list, unsigned) : 0; \
    va_end(list);                                                                 \
    static __typeof__(&name) next;                                                \
    if (!next) next = NEXT(name);                                                 \
    errno = before;                                                               \
    int result = next arguments;                                                  \
    called(__builtin_return_address(0), #name, before, result);                   \
    return result;                                                                \
  }

WATCH_OPEN(open, (const char *path, int flags, ...), (path, flags, mode), flags)
WATCH_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), flags)
WATCH_OPEN(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode), flags)
WATCH(int, close, (int fd), (fd))
WATCH(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size))
WATCH(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size))
WATCH(ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at))
WATCH(ssize_t, pwrite, (int fd, const void *from, size_t size, off_t at), (fd, from, size, at))
WATCH(ssize_t, readv, (int fd, const struct iovec *parts, int count), (fd, parts, count))
WATCH(ssize_t, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count))
WATCH(off_t, lseek, (int fd, off_t offset, int from), (fd, offset, from))
WATCH(int, stat, (const char *path, struct stat *to), (path, to))
WATCH(int, lstat, (const char *path, struct stat *to), (path, to))
WATCH(int, fstat, (int fd, struct stat *to), (fd, to))
WATCH(int, access, (const char *path, int mode), (path, mode))
WATCH(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size))
WATCH(int, mkdir, (const char *path, mode_t mode), (path, mode))
WATCH(int, rmdir, (const char *path), (path))
WATCH(int, unlink, (const char *path), (path))
WATCH(int, rename, (const char *from, const char *to), (from, to))
WATCH(int, chdir, (const char *path), (path))
WATCH(int, dup, (int fd), (fd))
WATCH(int, dup2, (int fd, int to), (fd, to))
WATCH(int, pipe, (int *ends), (ends))
WATCH(int, isatty, (int fd), (fd))
WATCH(int, poll, (struct pollfd * fds, nfds_t count, int time), (fds, count, time))
WATCH(int, ppoll, (struct pollfd * fds, nfds_t count, const struct timespec *time, const sigset_t *mask),
      (fds, count, time, mask))
WATCH(int, select, (int count, fd_set *in, fd_set *out, fd_set *other, struct timeval *time),
      (count, in, out, other, time))
WATCH(int, epoll_wait, (int fd, struct epoll_event *events, int count, int time), (fd, events, count, time))
WATCH(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
WATCH(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
      (clock, flags, time, rest))
WATCH(int, usleep, (useconds_t time), (time))
WATCH(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
WATCH(int, bind, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size))
WATCH(int, listen, (int fd, int count), (fd, count))
WATCH(int, connect, (int fd, const struct sockaddr *address, socklen_t size), (fd, address, size))
WATCH(int, accept, (int fd, struct sockaddr *address, socklen_t *size), (fd, address, size))
WATCH(int, accept4, (int fd, struct sockaddr *address, socklen_t *size, int flags), (fd, address, size, flags))
WATCH(ssize_t, send, (int fd, const void *from, size_t size, int flags), (fd, from, size, flags))
WATCH(ssize_t, recv, (int fd, void *to, size_t size, int flags), (fd, to, size, flags))
WATCH(int, kill, (pid_t process, int number), (process, number))
WATCH(int, sigaction, (int number, const struct sigaction *new, struct sigaction *old), (number, new, old))
WATCH(int, sigprocmask, (int how, const sigset_t *new, sigset_t *old), (how, new, old))
WATCH(int, pthread_sigmask, (int how, const sigset_t *new, sigset_t *old), (how, new, old))
WATCH(int, mprotect, (void *address, size_t size, int protection), (address, size, protection))
WATCH(int, madvise, (void *address, size_t size, int advice), (address, size, advice))
WATCH(int, munmap, (void *address, size_t size), (address, size))

/// Process numbers differ from run to run; how a child ended does not.
pid_t waitpid(pid_t process, int *status, int flags) {
  int before = errno, ended = 0;
  pid_t result = NEXT(waitpid)(process, &ended, flags);
  if (status) *status = ended;
  called(__builtin_return_address(0), "waitpid", before, result > 0 ? ended : result);
  return result;
}
