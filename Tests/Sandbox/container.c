// Runs a program like Docker does by default: container PROGRAM ARGUMENT…
//
// It runs in its own namespaces (users, processes with /proc, mounts, IPC, host name), as root with the capabilities
// that Docker keeps, under a filter that denies what Docker's default profile denies.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// clang-format off
static const int kept[] = {CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FSETID,  CAP_FOWNER,  CAP_MKNOD,
                           CAP_NET_RAW, CAP_SETGID,       CAP_SETUID,  CAP_SETFCAP, CAP_SETPCAP,
                           CAP_NET_BIND_SERVICE, CAP_SYS_CHROOT, CAP_KILL, CAP_AUDIT_WRITE};
static const int refused[] = {
    SYS_acct, SYS_add_key, SYS_bpf, SYS_clock_adjtime, SYS_clock_settime, SYS_create_module, SYS_delete_module,
    SYS_fanotify_init, SYS_finit_module, SYS_fsconfig, SYS_fsmount, SYS_fsopen, SYS_fspick, SYS_get_mempolicy,
    SYS_init_module, SYS_io_uring_enter, SYS_io_uring_register, SYS_io_uring_setup, SYS_ioperm, SYS_iopl, SYS_kcmp,
    SYS_kexec_file_load, SYS_kexec_load, SYS_keyctl, SYS_lookup_dcookie, SYS_mbind, SYS_mount, SYS_move_mount,
    SYS_move_pages, SYS_nfsservctl, SYS_open_by_handle_at, SYS_open_tree, SYS_perf_event_open, SYS_personality,
    SYS_pidfd_getfd, SYS_pivot_root, SYS_process_madvise, SYS_quotactl, SYS_reboot, SYS_request_key,
    SYS_set_mempolicy, SYS_setdomainname, SYS_sethostname, SYS_setns, SYS_settimeofday, SYS_swapoff, SYS_swapon,
    SYS_sysfs, SYS_syslog, SYS_umount2, SYS_unshare, SYS_uselib, SYS_userfaultfd, SYS_ustat, SYS_vhangup};
// clang-format on
enum { REFUSED = sizeof refused / sizeof *refused, KEPT = sizeof kept / sizeof *kept };

static void fail(const char *what) {
  perror(what);
  exit(125);
}

static void write_file(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || write(fd, text, strlen(text)) < 0) fail(path);
  close(fd);
}

static void map_users(unsigned user, unsigned group) {
  char text[64];
  write_file("/proc/self/setgroups", "deny");
  snprintf(text, sizeof text, "0 %u 1", user);
  write_file("/proc/self/uid_map", text);
  snprintf(text, sizeof text, "0 %u 1", group);
  write_file("/proc/self/gid_map", text);
}

static void filter(void) {
  struct sock_filter code[REFUSED + 3];
  int next = 0;
  code[next++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (int i = 0; i < REFUSED; i++)
    code[next++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[i], (unsigned char)(REFUSED - i), 0);
  code[next++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[next++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  struct sock_fprog program = {(unsigned short)next, code};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) fail("seccomp");
}

static void drop_capabilities(void) {
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2] = {0};
  for (int i = 0; i < KEPT; i++) sets[kept[i] / 32].permitted |= 1u << (kept[i] % 32);
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
    if (sets[capability / 32].permitted >> (capability % 32) & 1) continue;
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) fail("capability");
  }
  for (int i = 0; i < 2; i++) sets[i].effective = sets[i].permitted;
  if (syscall(SYS_capset, &header, sets) != 0) fail("capset");
}

int main(int count, char **arguments) {
  if (count < 2) return 125;
  unsigned user = geteuid(), group = getegid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS) != 0) fail("unshare");
  map_users(user, group);
  pid_t child = fork();
  if (child < 0) fail("fork");
  if (child > 0) {
    int status;
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR) fail("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) fail("private mounts");
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0) fail("/proc");
  filter();
  drop_capabilities();
  execv(arguments[1], arguments + 1);
  perror(arguments[1]);
  return 126;
}
