#define _GNU_SOURCE
#include "Process/runtime.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lifeline_format.h"

runtime the_runtime;

// The symbol table of a program that has the runtime linked in, or of the library being examined.
static const ElfW(Sym) *symbols;
static size_t symbol_count;
static const char *names;
static size_t names_size;
static uint64_t bias;
static const uint8_t *file;
static size_t file_size;

static void unmap_symbols(void) {
  if (file) munmap((void *)file, file_size);
  file = NULL;
  symbols = NULL;
  symbol_count = 0;
}

static int first_bias(struct dl_phdr_info *info, size_t size, void *into) {
  (void)size;
  *(uint64_t *)into = info->dlpi_addr;
  return 1;
}

/// Maps the file of an image that is loaded at `at` and finds .symtab in it: symbols that the dynamic linker never
/// loads.
static bool map_symbols(const char *path, uint64_t at) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (fd < 0) return false;
  void *mapped = MAP_FAILED;
  if (fstat(fd, &status) == 0 && status.st_size > (off_t)sizeof(ElfW(Ehdr)))
    mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  if (mapped == MAP_FAILED) return false;
  file = mapped;
  size_t size = file_size = (size_t)status.st_size;
  const ElfW(Ehdr) *header = (const void *)file;
  if (memcmp(header->e_ident, ELFMAG, SELFMAG) || header->e_shentsize != sizeof(ElfW(Shdr)) ||
      header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof(ElfW(Shdr))) goto unusable;
  const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);
  for (unsigned i = 0; i < header->e_shnum; i++) {
    const ElfW(Shdr) *s = &sections[i];
    if (s->sh_type != SHT_SYMTAB || s->sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *strings = &sections[s->sh_link];
    if (s->sh_offset > size || s->sh_size > size - s->sh_offset || strings->sh_offset > size ||
        strings->sh_size > size - strings->sh_offset || !strings->sh_size ||
        file[strings->sh_offset + strings->sh_size - 1])
      continue;
    symbols = (const void *)(file + s->sh_offset);
    symbol_count = s->sh_size / sizeof *symbols;
    names = (const char *)file + strings->sh_offset;
    names_size = strings->sh_size;
    bias = at;
    return true;
  }
unusable:
  unmap_symbols();
  return false;
}

static void *mapped_symbol(const char *name) {
  for (size_t i = 0; i < symbol_count; i++)
    if (symbols[i].st_shndx != SHN_UNDEF && symbols[i].st_name < names_size &&
        !strcmp(names + symbols[i].st_name, name))
      return (void *)(bias + symbols[i].st_value);
  return NULL;
}

void *runtime_symbol(const char *name) {
  return the_runtime.method == LIFELINE_METHOD_SHARED_RUNTIME ? dlsym(RTLD_DEFAULT, name) : mapped_symbol(name);
}

void *runtime_local_symbol(const void *inside, const char *name) {
  if (the_runtime.method != LIFELINE_METHOD_SHARED_RUNTIME) return mapped_symbol(name);
  Dl_info info;
  if (!inside || !dladdr(inside, &info) || !info.dli_fname || !map_symbols(info.dli_fname, (uint64_t)info.dli_fbase))
    return NULL;
  void *found = mapped_symbol(name);
  unmap_symbols();
  return found;
}

bool runtime_find(void) {
  void *retain = dlsym(RTLD_DEFAULT, "swift_retain");
  Dl_info info;
  if (retain && dladdr(retain, &info) && info.dli_fname) {
    the_runtime.method = LIFELINE_METHOD_SHARED_RUNTIME;
    snprintf(the_runtime.path, sizeof the_runtime.path, "%s", info.dli_fname);
    return true;
  }
  uint64_t own_bias = 0;
  dl_iterate_phdr(first_bias, &own_bias);
  if (!map_symbols("/proc/self/exe", own_bias)) return false;
  the_runtime.method = LIFELINE_METHOD_STATIC_RUNTIME;
  if (runtime_symbol("swift_retain") && runtime_symbol("swift_release") && runtime_symbol("swift_allocObject")) {
    ssize_t length = readlink("/proc/self/exe", the_runtime.path, sizeof the_runtime.path - 1);
    the_runtime.path[length > 0 ? length : 0] = 0;
    return true;
  }
  the_runtime.method = 0;
  unmap_symbols();
  return false;
}

// It is local to the library: swift_nonatomic_release ends in a jump to it, and it alone calls through
// the word 16 bytes before the metadata's address point (call *-16(%rax)).
void *runtime_release_dealloc(void) {
  const uint8_t *function = runtime_symbol("swift_nonatomic_release");
  if (!function) return NULL;
  for (int i = 0; i < 512; i++) {
    if (function[i] != 0xE9 && function[i] != 0xE8) continue;
    int32_t offset;
    memcpy(&offset, function + i + 1, 4);
    const uint8_t *target = function + i + 5 + offset;
    if (target > function + (8 << 20) || target < function - (8 << 20) || ((uintptr_t)target & 15)) continue;
    static const uint8_t load[] = {0x48, 0x8B, 0x07}, call[] = {0xFF, 0x50, 0xF0};
    bool loads = false;
    for (int j = 0; j < 24; j++) {
      if (!memcmp(target + j, load, 3)) loads = true;
      if (loads && !memcmp(target + j, call, 3)) return (void *)target;
    }
  }
  return NULL;
}
