// Makes the libc calls of one image fail, one by one. LD_PRELOAD it before the recorder.
//
//   FAULT_IMAGE  the end of the image's path, or "program" for the executable, whose calls of malloc succeed
//   FAULT_STATE  a file of 64 bytes: the number of calls (uint64), whether one failed, and the name of the first that
//                did
//   FAULT_AT     the number of the call that fails, from 1; 0: none
//   FAULT_ON     whether later calls fail, too, except the executable's writes to standard error
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct state {
  _Atomic uint64_t calls;
  _Atomic uint64_t failed;
  char first[48];
} state;

static state nowhere, *shared = &nowhere;
static uintptr_t image_begin, image_end;
static uint64_t at;
static bool goes_on, is_program;

static int find(struct dl_phdr_info *info, size_t size, void *suffix) {
  (void)size;
  size_t length = strlen(info->dlpi_name), wanted = strlen(suffix);
  if (length < wanted || strcmp(info->dlpi_name + length - wanted, suffix) != 0) return 0;
  image_begin = UINTPTR_MAX;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + p->p_vaddr, end = begin + p->p_memsz;
    if (p->p_type != PT_LOAD) continue;
    if (begin < image_begin) image_begin = begin;
    if (end > image_end) image_end = end;
  }
  return 1;
}

static void begin(void) {
  static atomic_bool has_begun;
  if (!environ) return;  // the dynamic linker allocates before libc is initialized
  if (atomic_exchange(&has_begun, true)) return;
  const char *path = getenv("FAULT_STATE"), *image = getenv("FAULT_IMAGE"), *number = getenv("FAULT_AT");
  if (!path || !image || !number) return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
  void *pages =
      fd < 0 ? MAP_FAILED : (void *)syscall(SYS_mmap, NULL, 4096L, PROT_READ | PROT_WRITE, MAP_SHARED, (long)fd, 0L);
  if (fd >= 0) syscall(SYS_close, fd);
  if (pages == MAP_FAILED) return;
  shared = pages;
  at = strtoull(number, NULL, 10);
  goes_on = getenv("FAULT_ON") != NULL;
  // The program's own image has no name (dl_iterate_phdr(3)).
  is_program = strcmp(image, "program") == 0;
  dl_iterate_phdr(find, (void *)(is_program ? "" : image));
}

static bool fails(const void *caller, const char *name) {
  begin();
  if ((uintptr_t)caller < image_begin || (uintptr_t)caller >= image_end) return false;
  uint64_t number = 1 + atomic_fetch_add(&shared->calls, 1);
  if (!at || number < at || (number > at && !goes_on)) return false;
  if (!atomic_exchange(&shared->failed, 1)) strncpy(shared->first, name, sizeof shared->first - 1);
  return true;
}

#define FAILS(name) fails(__builtin_return_address(0), name)
#define REFUSE(name, code, result) \
  if (FAILS(name)) {               \
    errno = code;                  \
    return result;                 \
  }
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
  va_end(list);
  REFUSE("open", EMFILE, -1)
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t read(int fd, void *to, size_t size) {
  REFUSE("read", EIO, -1)
  return syscall(SYS_read, fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t offset) {
  REFUSE("pread", EIO, -1)
  return syscall(SYS_pread64, fd, to, size, offset);
}

ssize_t write(int fd, const void *from, size_t size) {
  // A reader must be able to report what it could not do.
  if (!(is_program && goes_on && fd == STDERR_FILENO)) REFUSE("write", ENOSPC, -1)
  return syscall(SYS_write, fd, from, size);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t offset) {
  REFUSE("pwrite", ENOSPC, -1)
  return syscall(SYS_pwrite64, fd, from, size, offset);
}

int fstat(int fd, struct stat *to) {
  REFUSE("fstat", EIO, -1)
  return (int)syscall(SYS_fstat, fd, to);
}

int lstat(const char *path, struct stat *to) {
  REFUSE("lstat", EACCES, -1)
  return (int)syscall(SYS_lstat, path, to);
}

int stat(const char *path, struct stat *to) {
  REFUSE("stat", EACCES, -1)
  return (int)syscall(SYS_stat, path, to);
}

int unlink(const char *path) {
  REFUSE("unlink", EACCES, -1)
  return (int)syscall(SYS_unlink, path);
}

ssize_t readlink(const char *path, char *to, size_t size) {
  REFUSE("readlink", EACCES, -1)
  return syscall(SYS_readlink, path, to, size);
}

int ftruncate(int fd, off_t size) {
  REFUSE("ftruncate", ENOSPC, -1)
  return (int)syscall(SYS_ftruncate, fd, size);
}

int fallocate(int fd, int mode, off_t offset, off_t size) {
  REFUSE("fallocate", ENOSPC, -1)
  return (int)syscall(SYS_fallocate, fd, mode, offset, size);
}

int posix_fallocate(int fd, off_t offset, off_t size) {
  return FAILS("posix_fallocate") ? ENOSPC : NEXT(posix_fallocate)(fd, offset, size);
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  REFUSE("mmap", ENOMEM, MAP_FAILED)
  return (void *)syscall(SYS_mmap, address, size, (long)protection, (long)flags, (long)fd, offset);
}

int munmap(void *address, size_t size) {
  REFUSE("munmap", ENOMEM, -1)
  return (int)syscall(SYS_munmap, address, size);
}

int mprotect(void *address, size_t size, int protection) {
  REFUSE("mprotect", ENOMEM, -1)
  return (int)syscall(SYS_mprotect, address, size, protection);
}

int madvise(void *address, size_t size, int advice) {
  REFUSE("madvise", EAGAIN, -1)
  return (int)syscall(SYS_madvise, address, size, advice);
}

extern void *__libc_malloc(size_t);
void *malloc(size_t size) {
  // A Swift program cannot handle failed allocations: it crashes.
  if (!is_program) REFUSE("malloc", ENOMEM, NULL)
  return __libc_malloc(size);
}

int socket(int domain, int type, int protocol) {
  REFUSE("socket", EMFILE, -1)
  return (int)syscall(SYS_socket, domain, type, protocol);
}

int connect(int fd, const struct sockaddr *address, socklen_t size) {
  REFUSE("connect", ECONNREFUSED, -1)
  return (int)syscall(SYS_connect, fd, address, size);
}

ssize_t send(int fd, const void *from, size_t size, int flags) {
  REFUSE("send", EPIPE, -1)
  return syscall(SYS_sendto, fd, from, size, flags, NULL, 0);
}

ssize_t recv(int fd, void *to, size_t size, int flags) {
  REFUSE("recv", ECONNRESET, -1)
  return syscall(SYS_recvfrom, fd, to, size, flags, NULL, NULL);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t size) {
  REFUSE("setsockopt", ENOPROTOOPT, -1)
  return (int)syscall(SYS_setsockopt, fd, level, name, value, size);
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *size) {
  REFUSE("getsockopt", ENOPROTOOPT, -1)
  return (int)syscall(SYS_getsockopt, fd, level, name, value, size);
}

int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  long argument = va_arg(list, long);
  va_end(list);
  REFUSE("fcntl", EMFILE, -1)
  return (int)syscall(SYS_fcntl, fd, command, argument);
}

int getrlimit(__rlimit_resource_t resource, struct rlimit *to) {
  REFUSE("getrlimit", EPERM, -1)
  return (int)syscall(SYS_prlimit64, 0, resource, NULL, to);
}

DIR *opendir(const char *path) {
  REFUSE("opendir", EMFILE, NULL)
  return NEXT(opendir)(path);
}

struct dirent *readdir(DIR *folder) {
  REFUSE("readdir", EIO, NULL)
  return NEXT(readdir)(folder);
}

int sigaction(int number, const struct sigaction *new, struct sigaction *old) {
  REFUSE("sigaction", EINVAL, -1)
  return NEXT(sigaction)(number, new, old);
}

int pthread_key_create(pthread_key_t *key, void (*end)(void *)) {
  // In a debug build swift-system allocates one, and assumes success.
  return !is_program && FAILS("pthread_key_create") ? EAGAIN : NEXT(pthread_key_create)(key, end);
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  return FAILS("pthread_setspecific") ? ENOMEM : NEXT(pthread_setspecific)(key, value);
}

int on_exit(void (*handler)(int, void *), void *argument) {
  return FAILS("on_exit") ? -1 : NEXT(on_exit)(handler, argument);
}

extern int __cxa_at_quick_exit(void (*)(void *), void *);
int __cxa_at_quick_exit(void (*handler)(void *), void *library) {
  return FAILS("__cxa_at_quick_exit") ? -1 : NEXT(__cxa_at_quick_exit)(handler, library);
}

int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  unsigned long a = va_arg(list, unsigned long), b = va_arg(list, unsigned long), c = va_arg(list, unsigned long);
  va_end(list);
  REFUSE("prctl", EINVAL, -1)
  return (int)syscall(SYS_prctl, option, a, b, c, 0L);
}
