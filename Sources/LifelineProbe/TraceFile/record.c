#include "TraceFile/record.h"

#include "Process/lock.h"
#include "Process/options.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "Process/clock.h"
#include "TraceFile/trace_file.h"

void record_lock(void) { lock_take(LOCK_RECORDS); }
void record_unlock(void) { lock_drop(LOCK_RECORDS); }

typedef struct writer {
  uint8_t *begin, *at, *end;
} writer;

static void put(writer *w, const void *bytes, size_t size) {
  if (w->begin && size > (size_t)(w->end - w->at)) { w->begin = NULL; return; }
  if (!w->begin) return;
  memcpy(w->at, bytes, size);
  w->at += size;
}

static void put32(writer *w, uint32_t value) { put(w, &value, 4); }
static void put64(writer *w, uint64_t value) { put(w, &value, 8); }

static void put_bytes(writer *w, const void *bytes, uint32_t size) {
  put32(w, size);
  put(w, bytes, size);
}

static void put_string(writer *w, const char *text) { put_bytes(w, text, (uint32_t)strnlen(text, 8192)); }

/// The maximum number of information chunks for records that readers do not need.
static uint64_t most_chunks(void) {
  enum { TIMED = 256 };
  if (!the_options.keep_size) return the_options.keep_time ? TIMED : UINT64_MAX;
  uint64_t quarter = the_options.keep_size / LIFELINE_DEFAULT_CHUNK_SIZE / 4;
  return quarter > 2 ? quarter : 2;
}

static uint8_t *begin_chunk(process_state *p, bool is_name) {
  if (is_name && p->information_sequence >= most_chunks()) {
    process_count(LIFELINE_COUNTER_forgottenRecords);
    return NULL;
  }
  if (p->information_chunk)
    trace_file_seal(p->information_chunk, (uint32_t)(p->information - p->information_chunk), 0, clock_ticks());
  p->information_chunk = trace_file_chunk(LIFELINE_INFORMATION_CHUNK, 0, p->information_sequence++, 0);
  if (!p->information_chunk) { p->information = p->information_end = NULL; return NULL; }
  p->information_end = p->information_chunk + LIFELINE_DEFAULT_CHUNK_SIZE;
  return p->information = p->information_chunk + LIFELINE_CHUNK_HEADER_SIZE;
}

static writer open_record_if(size_t limit, bool is_name) {
  process_state *p = the_process;
  writer w = {NULL, NULL, NULL};
  if (p->state != PROCESS_RECORDING && p->state != PROCESS_STARTING && p->state != PROCESS_BEGINNING) return w;
  limit += 64;
  if (limit > LIFELINE_DEFAULT_CHUNK_SIZE - LIFELINE_CHUNK_HEADER_SIZE) return w;
  if ((!p->information || (size_t)(p->information_end - p->information) < limit) && !begin_chunk(p, is_name)) return w;
  w.begin = p->information;
  w.at = w.begin + 8;
  w.end = p->information_end;
  return w;
}

/// Room for a record of at most `limit` bytes in the current information chunk.
static writer open_record(size_t limit) { return open_record_if(limit, false); }

/// Room for a record that readers do not need; where the trace keeps only its latest part these must not fill it.
static writer open_name(size_t limit) { return open_record_if(limit, true); }

static void close_record(writer *w, uint32_t kind) {
  if (!w->begin) return;
  uint32_t size = (uint32_t)((w->at - w->begin + 7) & ~7);
  ((uint32_t *)w->begin)[1] = size;
  the_process->information = w->begin + size;
  __atomic_store_n((uint32_t *)w->begin, kind, __ATOMIC_RELEASE);  // the commit
}

void record_program(void) {
  static char text[65536];
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  path[length > 0 ? length : 0] = 0;
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t size = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (size < 0) size = 0;
  // Each argument takes its bytes and a length; a very long list is cut at its end.
  enum { ROOM = 128 * 1024 };
  uint32_t count = 0, used = 0;
  for (ssize_t i = 0; i < size && used + 5 < ROOM; i++, used++)
    if (text[i] == 0) { count++; used += 4; }
  record_lock();
  writer w = open_record(16 + sizeof path + (size_t)size + 4u * count);
  put32(&w, count);
  put_string(&w, path);
  const char *argument = text;
  for (uint32_t i = 0; i < count; i++) {
    put_string(&w, argument);
    argument += strlen(argument) + 1;
  }
  close_record(&w, LIFELINE_RECORD_program);
  record_unlock();
}

void record_image_locked(uint32_t id, uint32_t flags, uint64_t bias, uint64_t first, uint64_t end,
                         const uint8_t *build_id, uint32_t build_id_size, const char *path) {
  writer w = open_record(64 + build_id_size + strnlen(path, 8192));
  put32(&w, id);
  put32(&w, flags);
  put64(&w, bias);
  put64(&w, first);
  put64(&w, end);
  put64(&w, clock_ticks());
  put_bytes(&w, build_id, build_id_size);
  put_string(&w, path);
  close_record(&w, LIFELINE_RECORD_image);
}

void record_image_gone_locked(uint32_t id) {
  writer w = open_record(24);
  put32(&w, id);
  put32(&w, 0);
  put64(&w, clock_ticks());
  close_record(&w, LIFELINE_RECORD_imageGone);
}

void record_class_locked(uint32_t id, uint32_t flags, uint64_t metadata, uint64_t superclass,
                         uint32_t instance_size, uint32_t image, const char *name) {
  writer w = open_record(64 + strnlen(name, 8192));
  put32(&w, id);
  put32(&w, flags);
  put64(&w, metadata);
  put64(&w, superclass);
  put32(&w, instance_size);
  put32(&w, image);
  put_string(&w, name);
  close_record(&w, LIFELINE_RECORD_class);
}

void record_thread_begin(uint32_t number, uint32_t kernel_id, const char *name) {
  record_lock();
  writer w = open_name(96);
  put32(&w, number);
  put32(&w, kernel_id);
  put64(&w, clock_ticks());
  put_string(&w, name);
  close_record(&w, LIFELINE_RECORD_threadBegin);
  record_unlock();
}

/// Two words and a string: the shape of most records.
static void record_text(uint32_t kind, uint32_t first, uint32_t second, const char *text) {
  record_lock();
  bool is_name = kind == LIFELINE_RECORD_string || kind == LIFELINE_RECORD_threadName;
  writer w = open_record_if(32 + strnlen(text, 8192), is_name);
  put32(&w, first);
  put32(&w, second);
  put_string(&w, text);
  close_record(&w, kind);
  record_unlock();
}

void record_thread_name(uint32_t number, const char *name) { record_text(LIFELINE_RECORD_threadName, number, 0, name); }

void record_thread_end(uint32_t number) {
  record_lock();
  writer w = open_name(24);
  put32(&w, number);
  put32(&w, 0);
  put64(&w, clock_ticks());
  close_record(&w, LIFELINE_RECORD_threadEnd);
  record_unlock();
}

void record_sample(uint32_t denominator) {
  record_lock();
  writer w = open_record(24);
  put32(&w, denominator);
  put32(&w, 0);
  put64(&w, clock_ticks());
  close_record(&w, LIFELINE_RECORD_sample);
  record_unlock();
}

uint32_t record_new_string(const char *text) {
  static uint32_t next;
  uint32_t id = __atomic_add_fetch(&next, 1, __ATOMIC_RELAXED);
  record_text(LIFELINE_RECORD_string, id, 0, text);
  return id;
}

void record_detour(uint32_t status, const char *name) { record_text(LIFELINE_RECORD_detour, status, 0, name); }
void record_notice(uint32_t reason, const char *text) { record_text(LIFELINE_RECORD_notice, reason, 0, text); }

void record_runtime(uint32_t method, const char *path, const char *version) {
  record_lock();
  writer w = open_record(64 + strnlen(path, 8192) + strnlen(version, 8192));
  put32(&w, method);
  put32(&w, 0);
  put_string(&w, path);
  put_string(&w, version);
  close_record(&w, LIFELINE_RECORD_runtime);
  record_unlock();
}

void record_older(uint32_t class_id, uint64_t address) {
  record_lock();
  writer w = open_record(24);
  put32(&w, class_id);
  put32(&w, 0);
  put64(&w, address);
  close_record(&w, LIFELINE_RECORD_older);
  record_unlock();
}

void record_close(void) {
  process_state *p = the_process;
  record_lock();
  if (p->information_chunk)
    trace_file_seal(p->information_chunk, (uint32_t)(p->information - p->information_chunk), 0, clock_ticks());
  p->information = p->information_end = p->information_chunk = NULL;
  p->information_sequence = 0;
  record_unlock();
}

void record_option(const char *key, const char *value) {
  record_lock();
  writer w = open_record(64 + strnlen(key, 8192) + strnlen(value, 8192));
  put_string(&w, key);
  put_string(&w, value);
  close_record(&w, LIFELINE_RECORD_option);
  record_unlock();
}
