#define _GNU_SOURCE
#include "Unwinding/image.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "Process/memory.h"
#include "TraceFile/record.h"

enum { LIMIT = 1024 };

static image *table;  // LIMIT entries, append-only but for entries of unloaded images
static uint32_t count, next_id = 1;
static char runtime_folder[1024];

void image_set_runtime_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  if (slash) snprintf(runtime_folder, sizeof runtime_folder, "%.*s", (int)(slash - path + 1), path);
}

static bool begins(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

static bool is_system(const char *path) {
  return (runtime_folder[0] && begins(path, runtime_folder)) || begins(path, "/lib/") ||
         begins(path, "/lib64/") || begins(path, "/usr/lib/") || begins(path, "/usr/lib64/") ||
         begins(path, "[") || strstr(path, "libLifelineProbe");
}

static void read_notes(image *i, const uint8_t *notes, size_t size) {
  for (size_t at = 0; at + 12 <= size;) {
    const ElfW(Nhdr) *note = (const void *)(notes + at);
    size_t name = (note->n_namesz + 3u) & ~3u, description = (note->n_descsz + 3u) & ~3u;
    if (at + 12 + name + description > size) return;
    if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && note->n_descsz <= sizeof i->build_id) {
      memcpy(i->build_id, notes + at + 12 + name, note->n_descsz);
      i->build_id_size = note->n_descsz;
      return;
    }
    at += 12 + name + description;
  }
}

const image *image_known(uint64_t address) {
  if (!table) return NULL;
  for (uint32_t n = __atomic_load_n(&count, __ATOMIC_ACQUIRE), i = 0; i < n; i++)
    if (table[i].id && address >= table[i].first && address < table[i].end) return &table[i];
  return NULL;
}

const image *image_by_id(uint32_t id) {
  for (uint32_t n = __atomic_load_n(&count, __ATOMIC_ACQUIRE), i = 0; id && i < n; i++)
    if (table[i].id == id) return &table[i];
  return NULL;
}

static void write_image(const image *i) {
  record_image_locked(i->id, i->flags, i->bias, i->first, i->end, i->build_id, i->build_id_size, i->path);
}

static void add(uint64_t bias, const char *name, const ElfW(Phdr) *headers, size_t header_count, bool is_main) {
  if (!table || count == LIMIT) return;
  image fresh = {0};
  fresh.bias = bias;
  fresh.first = UINT64_MAX;
  for (size_t h = 0; h < header_count; h++) {
    const ElfW(Phdr) *header = &headers[h];
    uint64_t begin = bias + header->p_vaddr, end = begin + header->p_memsz;
    if (header->p_type == PT_LOAD) {
      if (begin < fresh.first) fresh.first = begin;
      if (end > fresh.end) fresh.end = end;
      if (header->p_flags & PF_X) { fresh.code = begin; fresh.code_end = end; }
    } else if (header->p_type == PT_NOTE && !fresh.build_id_size) {
      read_notes(&fresh, (const uint8_t *)begin, header->p_memsz);
    } else if (header->p_type == PT_GNU_EH_FRAME) {
      fresh.unwind_header = (const uint8_t *)begin;
    }
  }
  if (fresh.first >= fresh.end || image_known(fresh.first)) return;
  if (is_main) {
    ssize_t length = readlink("/proc/self/exe", fresh.path, sizeof fresh.path - 1);
    fresh.path[length > 0 ? length : 0] = 0;
  } else {
    snprintf(fresh.path, sizeof fresh.path, "%s", name && *name ? name : "[vdso]");
  }
  fresh.flags = (is_main ? LIFELINE_IMAGE_MAIN : 0) | (!is_main && is_system(fresh.path) ? LIFELINE_IMAGE_SYSTEM : 0);
  // The toolchain's own tools are not libraries: a main program is never "system".
  fresh.id = next_id++;
  table[count] = fresh;
  write_image(&table[count]);
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
}

// The dynamic linker's lock is held here. A program's own dl_iterate_phdr callback may use objects, so that lock comes
// before ours.
static int visit(struct dl_phdr_info *info, size_t size, void *first) {
  (void)size;
  record_lock();
  add(info->dlpi_addr, info->dlpi_name, info->dlpi_phdr, info->dlpi_phnum, *(bool *)first);
  record_unlock();
  *(bool *)first = false;
  return 0;
}

void image_scan(void) {
  if (!table) table = memory_pages(LIMIT * sizeof(image), false);
  bool first = true;
  dl_iterate_phdr(visit, &first);
}

// Lock-free in glibc 2.35 and later; without it new images are seen at the next dlopen or dlclose only.
extern int _dl_find_object(void *, struct dl_find_object *) __attribute__((weak));

static void add_by_address(uint64_t address) {
  struct dl_find_object found;
  if (!table || !_dl_find_object || _dl_find_object((void *)address, &found) != 0) return;
  const ElfW(Ehdr) *elf = found.dlfo_map_start;
  ElfW(Ehdr) copy;
  if (!memory_read(elf, &copy, sizeof copy) || memcmp(copy.e_ident, ELFMAG, SELFMAG) || copy.e_phnum > 64) return;
  ElfW(Phdr) headers[64];
  if (!memory_read((const uint8_t *)elf + copy.e_phoff, headers, copy.e_phnum * sizeof headers[0])) return;
  record_lock();
  if (!image_known(address))
    add(found.dlfo_link_map->l_addr, found.dlfo_link_map->l_name, headers, copy.e_phnum, false);
  record_unlock();
}

const image *image_at(uint64_t address) {
  const image *i = image_known(address);
  if (i) return i;
  add_by_address(address);
  return image_known(address);
}

void image_record_all(void) {
  record_lock();
  for (uint32_t i = 0; i < count; i++)
    if (table[i].id) write_image(&table[i]);
  record_unlock();
}

typedef struct presence {
  uint32_t count;  // images that were known before the look
  bool here[LIMIT];
} presence;

static int mark_present(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  presence *p = context;
  const char *name = info->dlpi_name;
  for (uint32_t i = 0; i < p->count; i++) {
    bool same = table[i].id && table[i].bias == info->dlpi_addr;
    // Another thread may have loaded another library at the address meanwhile.
    if (same && name && *name && !(table[i].flags & LIFELINE_IMAGE_MAIN))
      same = !strncmp(name, table[i].path, sizeof table[i].path - 1);
    if (same) p->here[i] = true;
  }
  return 0;
}

void image_drop_missing(void (*dropped)(uint64_t first, uint64_t end)) {
  presence seen = {.count = __atomic_load_n(&count, __ATOMIC_ACQUIRE)};
  dl_iterate_phdr(mark_present, &seen);
  for (uint32_t i = 0; i < seen.count; i++) {
    record_lock();
    bool gone = table[i].id && !seen.here[i];
    if (gone) {
      record_image_gone_locked(table[i].id);
      table[i].id = 0;
    }
    record_unlock();
    if (gone) dropped(table[i].first, table[i].end);
  }
}
