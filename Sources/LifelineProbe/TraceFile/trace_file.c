#include "TraceFile/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Process/clock.h"
#include "Process/notice.h"
#include "Process/options.h"
#include "Process/sample.h"

enum { CHUNK = LIFELINE_DEFAULT_CHUNK_SIZE, HIGH_FD = 900 };

static const trace_file_places *places;

void trace_file_use(const trace_file_places *own) { places = own; }

/// Expands %p and %e; attempt 0 is the requested path, later ones avoid traces of this session.
static bool expand(char *into, size_t limit, int attempt) {
  const char *pattern = the_options.output;
  char name[256] = "program";
  ssize_t length = readlink("/proc/self/exe", into, limit - 1);
  if (length > 0) {
    into[length] = 0;
    const char *slash = strrchr(into, '/');
    snprintf(name, sizeof name, "%.255s", slash ? slash + 1 : into);
  }
  bool has_pid = strstr(pattern, "%p") != NULL;
  size_t n = 0;
  for (const char *p = pattern; *p; p++) {
    char piece[256] = {*p, 0};
    if (p[0] == '%' && p[1] == 'p') { snprintf(piece, sizeof piece, "%d", (int)getpid()); p++; }
    else if (p[0] == '%' && p[1] == 'e') { memcpy(piece, name, sizeof piece); p++; }
    else if (p[0] == '%' && p[1] == '%') p++;
    size_t size = strlen(piece);
    if (n + size + 32 > limit) return false;
    memcpy(into + n, piece, size);
    n += size;
  }
  into[n] = 0;
  if (attempt == 0) return true;
  if (!has_pid) n += (size_t)snprintf(into + n, limit - n, ".%d", (int)getpid());
  if (attempt > 1 || has_pid) snprintf(into + n, limit - n, ".%d", attempt + (has_pid ? 1 : 0));
  return true;
}

/// Whether the file at `path` is a trace: a regular file that begins as one, or is about to. A process that ended at
/// that moment leaves an empty file, but so does for a moment one that was started with us.
static bool read_trace(const char *path, lifeline_file_header *header) {
  struct stat status;
  if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;  // to open a device can have effects
  int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  memset(header, 0, sizeof *header);
  bool is_file = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  bool is_whole = is_file && read(fd, header, sizeof *header) == (ssize_t)sizeof *header;
  close(fd);
  static const lifeline_file_header unwritten;
  if (is_file && (!status.st_size || status.st_size == LIFELINE_HEADER_SIZE) &&
      !memcmp(header, &unwritten, sizeof unwritten)) {
    header->session = the_options.session;
    return true;
  }
  return is_whole && !memcmp(header->magic, LIFELINE_MAGIC, sizeof header->magic);
}

/// Whether a trace is our parent's, or ours from before an exec. `lifeline record` gives them all one session; without
/// one, the process IDs decide.
static bool is_related(const lifeline_file_header *header) {
  if (header->session == the_options.session) return true;
  return the_options.made_session && (header->process == (uint32_t)getpid() || header->process == (uint32_t)getppid());
}

static int create(char *path, size_t limit) {
  for (int attempt = 0; attempt < 100; attempt++) {
    if (!expand(path, limit, attempt)) { errno = ENAMETOOLONG; return -1; }
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
    if (errno != EEXIST) return -1;
    lifeline_file_header header;
    bool is_trace = read_trace(path, &header);
    if (is_trace && is_related(&header)) continue;
    if (!is_trace) { errno = ENOTSUP; return -1; }
    if (!the_options.force) { errno = EEXIST; return -1; }
    if (unlink(path) != 0) return -1;
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) return fd;
  }
  return -1;
}

/// Moves a descriptor out of the way of programs that depend on low numbers, or close all of them.
static int move_high(int fd) {
  struct rlimit limit;
  int wanted = HIGH_FD;
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= HIGH_FD) wanted = (int)limit.rlim_cur - 1;
  for (; wanted > 3; wanted /= 2) {
    int high = fcntl(fd, F_DUPFD_CLOEXEC, wanted);
    if (high < 0) continue;
    close(fd);
    return high;
  }
  return fd;
}

/// Whether a file may grow to `end` bytes. Beyond the limit the kernel would send SIGXFSZ, so the limit is checked
/// first.
static bool may_grow(off_t end) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || (rlim_t)end <= limit.rlim_cur;
}

bool trace_file_create(void) {
  process_state *p = the_process;
  int fd = create(p->path, sizeof p->path);
  if (fd < 0) {
    if (errno == EEXIST)
      notice_say("the file %s already exists; nothing is recorded (use --force or another --output)", p->path);
    else if (errno == ENOTSUP)
      notice_say("%s exists and is not a trace; nothing is recorded (use another --output)", p->path);
    else
      notice_say("the trace %s cannot be created: %s; nothing is recorded", p->path, strerror(errno));
    return false;
  }
  fd = p->fd = move_high(fd);
  struct stat status;
  lifeline_file_header *header = MAP_FAILED;
  if (!may_grow(LIFELINE_HEADER_SIZE + CHUNK)) errno = EFBIG;
  else if (fstat(fd, &status) == 0 && (errno = posix_fallocate(fd, 0, LIFELINE_HEADER_SIZE)) == 0)
    header =
        mmap(p->header, LIFELINE_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | (p->header ? MAP_FIXED : 0), fd, 0);
  if (header == MAP_FAILED) {
    const char *why = errno == EFBIG ? "the file size limit (ulimit -f) is too low" : strerror(errno);
    notice_say("the trace %s cannot be written: %s; nothing is recorded", p->path, why);
    unlink(p->path);
    close(fd);
    return false;
  }
  p->file_id[0] = status.st_dev;
  p->file_id[1] = status.st_ino;
  header->version = LIFELINE_VERSION;
  header->header_size = LIFELINE_HEADER_SIZE;
  header->chunk_size = CHUNK;
  header->architecture = LIFELINE_ARCHITECTURE_X86_64;
  header->session = the_options.session;
  header->process = (uint32_t)getpid();
  header->parent = (uint32_t)getppid();
  header->start_clock = header->end_clock = clock_ticks();
  header->start_monotonic = header->end_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
  header->start_realtime = clock_nanoseconds(CLOCK_REALTIME);
  header->state = LIFELINE_STATE_RECORDING;
  header->frames = the_options.frames;
  // A forked child continues like its parent.
  header->sample = sample_limit < SAMPLE_ALL ? sample_denominator() : the_options.sample;
  header->age = the_options.age;
  header->flags = (the_options.attached ? LIFELINE_FLAG_ATTACHED : 0) |
                  (the_options.zombies ? LIFELINE_FLAG_ZOMBIES : 0) | (the_options.lives ? LIFELINE_FLAG_LIVES : 0) |
                  (the_options.guard.count ? LIFELINE_FLAG_GUARDS : 0) |
                  (the_options.all_classes ? LIFELINE_FLAG_ALL_CLASSES : 0) |
                  (the_options.only.count || the_options.ignore.count ? LIFELINE_FLAG_FILTERED : 0) |
                  (sample_is_remembered ? LIFELINE_FLAG_CHANCE : 0) | (places ? LIFELINE_FLAG_RING : 0);
  header->keep_size = the_options.keep_size;
  header->keep_time = the_options.keep_time;
  memcpy(header->magic, LIFELINE_MAGIC, 8);
  p->header = header;
  if (!places || places->begin()) return true;
  notice_say("the trace %s cannot be written: no space for the kept part; nothing is recorded", p->path);
  p->header = NULL;
  munmap(header, LIFELINE_HEADER_SIZE);
  unlink(p->path);
  close(fd);
  return false;
}

/// The descriptor of the trace, opened again when the program has closed or replaced it.
static int descriptor(process_state *p) {
  struct stat status;
  if (fstat(p->fd, &status) == 0 && status.st_dev == p->file_id[0] && status.st_ino == p->file_id[1])
    return p->fd;
  int fd = open(p->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  if (fstat(fd, &status) != 0 || status.st_dev != p->file_id[0] || status.st_ino != p->file_id[1]) {
    close(fd);
    return -1;
  }
  return p->fd = move_high(fd);
}

static off_t offset_of(uint32_t place) { return LIFELINE_HEADER_SIZE + (off_t)place * CHUNK; }

static uint8_t *map(int fd, uint32_t place) {
  uint8_t *chunk = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, offset_of(place));
  return chunk == MAP_FAILED ? NULL : chunk;
}

uint8_t *trace_file_map(uint32_t place) {
  int fd = descriptor(the_process);
  return fd < 0 ? NULL : map(fd, place);
}

uint8_t *trace_file_extend(uint32_t place, int *error) {
  int fd = descriptor(the_process);
  if (fd < 0) { *error = EBADF; return NULL; }
  // Blocks are allocated before they are mapped: a full disk is an error code here, a SIGBUS later.
  *error = may_grow(offset_of(place) + CHUNK) ? posix_fallocate(fd, offset_of(place), CHUNK) : EFBIG;
  if (*error) return NULL;
  uint8_t *chunk = map(fd, place);
  if (!chunk) *error = ENOMEM;
  else if (places) the_process->header->chunks = place + 1;
  return chunk;
}

void trace_file_stop_for(int error) {
  trace_file_stop(error == ENOSPC || error == EDQUOT ? LIFELINE_STOP_diskFull
                  : error == EFBIG                   ? LIFELINE_STOP_fileTooLarge
                  : error == ENOMEM                  ? LIFELINE_STOP_noMemory
                                                     : LIFELINE_STOP_ioError);
}

/// Room for a chunk after all others.
static uint8_t *append(void) {
  int error;
  uint8_t *chunk = trace_file_extend(__atomic_fetch_add(&the_process->header->chunks, 1, __ATOMIC_RELAXED), &error);
  if (!chunk) trace_file_stop_for(error);
  return chunk;
}

uint8_t *trace_file_chunk(uint32_t magic, uint32_t stream, uint64_t sequence, uint32_t thread) {
  process_state *p = the_process;
  if (!p->header || __atomic_load_n(&p->state, __ATOMIC_ACQUIRE) == PROCESS_STOPPED) return NULL;
  uint8_t *chunk = places ? places->claim(magic == LIFELINE_EVENT_CHUNK) : append();
  if (!chunk) return NULL;
  lifeline_chunk_header *header = (lifeline_chunk_header *)chunk;
  header->stream = stream;
  header->sequence = sequence;
  header->thread = thread;
  header->first_clock = clock_ticks();
  __atomic_store_n(&header->magic, magic, __ATOMIC_RELEASE);
  p->header->end_clock = header->first_clock;
  p->header->end_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
  return chunk;
}

static void seal(uint8_t *chunk, uint32_t length, uint32_t events, uint64_t last_clock) {
  lifeline_chunk_header *header = (lifeline_chunk_header *)chunk;
  header->length = length;
  header->events = events;
  header->last_clock = last_clock;
  header->checksum = lifeline_checksum(chunk + LIFELINE_CHUNK_HEADER_SIZE, length - LIFELINE_CHUNK_HEADER_SIZE);
  lifeline_chunk_header sealed = *header;
  sealed.sealed = 1;
  header->header_checksum = lifeline_checksum(&sealed, LIFELINE_CHUNK_HEADER_SUMMED);
  __atomic_store_n(&header->sealed, 1, __ATOMIC_RELEASE);
}

void trace_file_seal(uint8_t *chunk, uint32_t length, uint32_t events, uint64_t last_clock) {
  seal(chunk, length, events, last_clock);
  trace_file_release(chunk, last_clock);
}

void trace_file_release(uint8_t *chunk, uint64_t last_clock) {
  if (places) places->release(chunk, last_clock);
  munmap(chunk, CHUNK);
}

void trace_file_cut(uint8_t *memory, size_t size) {
  mmap(memory, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void trace_file_seal_in_use(uint8_t *chunk, uint32_t length, uint32_t events, uint64_t last_clock) {
  seal(chunk, length, events, last_clock);
  trace_file_cut(chunk, CHUNK);
}

void trace_file_close(void) {
  process_state *p = the_process;
  struct stat status;
  if (!p->header) return;
  if (p->header->state == LIFELINE_STATE_RECORDING) {
    p->header->end_clock = clock_ticks();
    p->header->end_monotonic = clock_nanoseconds(CLOCK_MONOTONIC);
    p->header->state = LIFELINE_STATE_ENDED;
  }
  p->header->end = LIFELINE_END_DETACHED;
  trace_file_cut((uint8_t *)p->header, LIFELINE_HEADER_SIZE);
  if (fstat(p->fd, &status) == 0 && status.st_dev == p->file_id[0] && status.st_ino == p->file_id[1]) close(p->fd);
  p->fd = -1;
}

void trace_file_stop(uint32_t reason) {
  process_state *p = the_process;
  uint32_t recording = PROCESS_RECORDING, starting = PROCESS_STARTING, beginning = PROCESS_BEGINNING;
  if (!__atomic_compare_exchange_n(&p->state, &recording, PROCESS_STOPPED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
      !__atomic_compare_exchange_n(&p->state, &starting, PROCESS_STOPPED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) &&
      !__atomic_compare_exchange_n(&p->state, &beginning, PROCESS_STOPPED, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    return;
  if (p->header) {
    p->header->stop_reason = reason;
    p->header->state = LIFELINE_STATE_STOPPED;
  }
  const char *sentences[] = {
#define X(name, number, text) [number] = text,
      LIFELINE_STOP_REASONS(X)
#undef X
  };
  notice_say("recording of process %d stopped: %s", (int)getpid(), sentences[reason]);
}
