#pragma once
// Swift cannot call ptrace, which is variadic, and its module of the C library lacks these headers.
#include <fcntl.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

static inline long lifeline_ptrace(unsigned request, pid_t thread, uint64_t address, uint64_t data) {
  return ptrace((enum __ptrace_request)request, thread, (void *)address, (void *)data);
}

ssize_t process_vm_readv(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                         unsigned long);

static inline ssize_t lifeline_read_process(pid_t process, const struct iovec *into, unsigned long intoCount,
                                            const struct iovec *from, unsigned long fromCount) {
  return process_vm_readv(process, into, intoCount, from, fromCount, 0);
}

ssize_t process_vm_writev(pid_t, const struct iovec *, unsigned long, const struct iovec *, unsigned long,
                          unsigned long);

static inline ssize_t lifeline_write_process(pid_t process, const struct iovec *from, unsigned long fromCount,
                                             const struct iovec *into, unsigned long intoCount) {
  return process_vm_writev(process, from, fromCount, into, intoCount, 0);
}

#define LIFELINE_PTRACE_SEIZE 0x4206u
#define LIFELINE_PTRACE_INTERRUPT 0x4207u
#define LIFELINE_PTRACE_GETREGSET 0x4204u
#define LIFELINE_PTRACE_SETREGSET 0x4205u
#define LIFELINE_PTRACE_DETACH 17u
#define LIFELINE_PTRACE_GETSIGINFO 0x4202u
#define LIFELINE_PTRACE_PEEKSIGINFO 0x4209u

/// The request of PTRACE_PEEKSIGINFO: this many pending signals from an index on, of one thread or of the process.
struct lifeline_pending_signals {
  uint64_t offset;
  uint32_t flags;
  int32_t count;
};
#define LIFELINE_NT_PRSTATUS 1u
#define LIFELINE_NT_X86_XSTATE 0x202u
#define LIFELINE_WALL 0x40000000

/// A descriptor of a process that outlasts it; negative if there is none.
static inline int lifeline_open_process(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }

/// What wait(2) told the parent of a process that has ended; -1 if it still runs, or the kernel (before 6.15) does not
/// tell.
static inline int lifeline_status_of_ended(int descriptor) {
  // struct pidfd_info of <linux/pidfd.h>.
  struct {
    uint64_t mask, cgroup;
    uint32_t identities[11];
    int32_t status;
  } info = {.mask = 1 << 3, .status = -1};
  return ioctl(descriptor, _IOWR(0xFF, 11, info), &info) == 0 && info.mask & 1 << 3 ? info.status : -1;
}

/// The process at the other end of a local socket, in our numbering; 0 if the kernel does not tell.
static inline pid_t lifeline_peer(int connection) {
  struct {
    pid_t process;
    uid_t user;
    gid_t group;
  } peer = {0, 0, 0};
  socklen_t size = sizeof peer;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.process : 0;
}

/// When a file was created, in nanoseconds since 1970; 0 where the file system does not tell (statx(2), whose structure
/// the C library shows only with _GNU_SOURCE).
static inline uint64_t lifeline_birth(const char *path) {
  struct {
    uint32_t mask;
    uint8_t before[76];
    int64_t seconds;  // stx_btime
    uint32_t nanoseconds;
    uint8_t after[164];
  } status;
  enum { BTIME = 0x800 };
  if (syscall(SYS_statx, AT_FDCWD, path, 0x100 /* AT_SYMLINK_NOFOLLOW */, BTIME, &status) != 0 ||
      !(status.mask & BTIME))
    return 0;
  return (uint64_t)status.seconds * 1000000000u + status.nanoseconds;
}
