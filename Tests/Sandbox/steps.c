// Runs a program, one instruction at a time from a point where it stops itself, for Scripts/prove-commit.
//
//   steps COUNT LEFT FILE OTHER FOLDER PROGRAM ARGUMENT…
//
// That point is the first stop at which FILE ends with fewer than LEFT zeros, and COUNT starts when it has grown; if
// LEFT is 0, it is the first stop.
//
// The process could be killed after each instruction, and FILE and OTHER, which it maps, would then be as they are now.
// Whenever FILE has changed, it is copied to FOLDER/N.file, and OTHER to FOLDER/N.other, where N is the number of the
// instruction. Prints the number of instructions and of copied states, and kills the program.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct file {
  const char *path;
  int descriptor;
  uint8_t *bytes;
  size_t size;
} file;

/// Maps the current contents of a file.
static void map(file *f) {
  struct stat now;
  if (f->descriptor < 0) f->descriptor = open(f->path, O_RDONLY | O_CLOEXEC);
  if (f->descriptor < 0 || fstat(f->descriptor, &now) != 0 || (size_t)now.st_size == f->size) return;
  if (f->bytes) munmap(f->bytes, f->size);
  f->size = (size_t)now.st_size;
  f->bytes = f->size ? mmap(NULL, f->size, PROT_READ, MAP_SHARED, f->descriptor, 0) : NULL;
  if (f->bytes == MAP_FAILED) exit(125);
}

/// Copies a file without the zeros at the end of each page.
static void copy(const file *f, const char *folder, long number, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%ld.%s", folder, number, suffix);
  int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (to < 0 || ftruncate(to, (off_t)f->size) != 0) exit(125);
  static const uint8_t zeros[4096];
  for (size_t at = 0; at < f->size; at += sizeof zeros) {
    size_t count = f->size - at < sizeof zeros ? f->size - at : sizeof zeros;
    if (memcmp(f->bytes + at, zeros, count) && pwrite(to, f->bytes + at, count, (off_t)at) != (ssize_t)count) exit(125);
  }
  close(to);
}

static size_t zeros_at_end(const file *f) {
  size_t at = f->size;
  while (at && !f->bytes[at - 1]) at--;
  return f->size - at;
}

int main(int count, char **arguments) {
  if (count < 7) return 125;
  long steps = atol(arguments[1]), copies = 0, done = 0;
  size_t left = (size_t)atol(arguments[2]);
  file trace = {arguments[3], -1, NULL, 0}, other = {arguments[4], -1, NULL, 0};
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    execv(arguments[6], arguments + 6);
    _exit(126);
  }
  int status, has_stopped = 0;
  uint8_t *known = NULL;
  size_t known_size = 0, first_size = 0;
  while (waitpid(child, &status, 0) == child && WIFSTOPPED(status) && done < steps) {
    int number = WSTOPSIG(status);
    if (!has_stopped) {
      map(&trace);
      has_stopped = number == SIGSTOP && (!left || zeros_at_end(&trace) < left);
      if (!has_stopped) {
        ptrace(PTRACE_CONT, child, NULL, (void *)(long)(number == SIGTRAP || number == SIGSTOP ? 0 : number));
        continue;
      }
    }
    map(&trace);
    map(&other);
    if (trace.size != known_size || (known_size && memcmp(known, trace.bytes, known_size))) {
      known = realloc(known, trace.size);
      memcpy(known, trace.bytes, known_size = trace.size);
      copy(&trace, arguments[5], done, "file");
      copy(&other, arguments[5], done, "other");
      copies++;
    }
    if (!first_size) first_size = trace.size;
    steps += left && trace.size == first_size;
    done++;
    ptrace(PTRACE_SINGLESTEP, child, NULL, NULL);
  }
  int is_whole = WIFSTOPPED(status);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  printf("%ld %ld\n", done, copies);
  return is_whole ? 0 : 1;
}
