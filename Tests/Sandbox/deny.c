// Runs a program with some system calls denied: deny [container] NUMBER[=ERRNO][,…] ERRNO PROGRAM ARGUMENT…
//
// With `container` root keeps its privileges, as in a Docker container, except the right to set a filter again.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CALLS = 400 };

int main(int count, char **arguments) {
  int is_container = count > 1 && !strcmp(arguments[1], "container");
  arguments += is_container;
  if (count - is_container < 4) return 125;
  unsigned error = (unsigned)atoi(arguments[2]);
  unsigned short next = 0;
  static struct sock_filter code[2 * CALLS + 2];
  code[next++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (char *rest = arguments[1], *number; (number = strsep(&rest, ",")) && next < 2 * CALLS;) {
    code[next++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)atoi(number), 0, 1);
    char *own = strchr(number, '=');
    unsigned answer = own ? (unsigned)atoi(own + 1) : error;
    code[next++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answer);
  }
  code[next++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {next, code};
  if ((!is_container && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0 ||
      (is_container && prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) != 0)) {
    perror("deny");
    return 125;
  }
  execv(arguments[3], arguments + 3);
  perror(arguments[3]);
  return 126;
}
