#include "Objects/class_name.h"

#include <stdio.h>
#include <string.h>

#include "Process/memory.h"

// Layouts: swift/ABI/Metadata.h and swift/ABI/MetadataValues.h.
//
//   class metadata          context descriptor           ContextDescriptorKind (flags & 0x1F)
//    0 kind                  0 flags      u32             0 module   1 extension  2 anonymous
//    8 superclass            4 parent     relative        3 protocol 16 class     17 struct   18 enum
//   16 flags … size          8 name       relative       flags bit 7: generic
//   40 descriptor
//
//   tuple metadata          function metadata            existential metadata        metatype metadata
//    8 number of elements    8 flags, number u16          8 flags                u32  8 type
//   16 labels               16 result                    12 number of protocols u32
//   24 type, offset, …      24 parameters, …             16 superclass if any, protocols, …
enum {
  KIND_MODULE = 0, KIND_EXTENSION = 1, KIND_ANONYMOUS = 2, KIND_PROTOCOL = 3, KIND_CLASS = 16, KIND_STRUCT = 17,
  KIND_ENUM = 18
};
enum {
  METADATA_STRUCT = 0x200, METADATA_ENUM = 0x201, METADATA_OPTIONAL = 0x202, METADATA_TUPLE = 0x301,
  METADATA_FUNCTION = 0x302, METADATA_EXISTENTIAL = 0x303, METADATA_METATYPE = 0x304, LAST_ENUMERATED = 0x7FF
};
enum { FUNCTION_THROWS = 1 << 24, FUNCTION_ASYNC = 1 << 29 };
enum { MOST_MEMBERS = 8 };

bool class_is_class(uint64_t kind) { return kind == 0 || kind > LAST_ENUMERATED; }

static bool read32(uint64_t at, uint32_t *value) { return memory_read((void *)at, value, 4); }
static bool read64(uint64_t at, uint64_t *value) { return memory_read((void *)at, value, 8); }

/// Follows a relative pointer to a string, which may lie at an odd address.
static uint64_t follow_direct(uint64_t at) {
  uint32_t raw;
  return read32(at, &raw) && raw ? at + (uint64_t)(int64_t)(int32_t)raw : 0;
}

/// Follows a relative pointer to a context; the low bit says that it leads to a pointer.
static uint64_t follow(uint64_t at) {
  uint32_t raw;
  if (!read32(at, &raw) || raw == 0) return 0;
  int64_t offset = (int32_t)raw;
  uint64_t target = at + (uint64_t)(offset & ~(int64_t)1);
  if (offset & 1) {
    uint64_t indirect;
    return read64(target, &indirect) ? indirect : 0;
  }
  return target;
}

uint64_t class_descriptor(uint64_t metadata) {
  for (int depth = 0; depth < 8 && metadata; depth++) {
    uint64_t kind, descriptor, superclass;
    if (!read64(metadata, &kind) || !class_is_class(kind) || !read64(metadata + 40, &descriptor)) return 0;
    if (descriptor) return descriptor;
    if (!read64(metadata + 8, &superclass)) return 0;
    metadata = superclass;
  }
  return 0;
}

bool class_describes_class(uint64_t descriptor) {
  uint32_t flags;
  return read32(descriptor, &flags) && (flags & 0x1F) == KIND_CLASS;
}

/// A text that grows up to a limit; longer text is truncated, with a mark.
typedef struct text {
  char *begin;
  size_t length, limit;
  bool is_cut;
} text;

#define MARK "\u2026"

static void cut(text *t) {
  size_t length = t->limit - sizeof MARK;
  if (length > t->length) length = t->length;
  while (length && (t->begin[length] & 0xC0) == 0x80) length--;  // not inside a character
  memcpy(t->begin + length, MARK, sizeof MARK);
  t->length = length + sizeof MARK - 1;
  t->is_cut = true;
}

static void append(text *t, const char *more) {
  size_t length = strlen(more);
  if (t->is_cut) return;
  if (t->length + length + 1 > t->limit) {
    cut(t);
    return;
  }
  memcpy(t->begin + t->length, more, length + 1);
  t->length += length;
}

/// Appends a name from memory; false when it cannot be read.
static bool append_name(text *t, uint64_t name) {
  size_t room = t->limit - t->length;
  if (t->is_cut) return true;
  char *at = t->begin + t->length;
  if (!memory_read_string((void *)name, at, room)) return false;
  size_t length = strlen(at);
  t->length += length;
  if (length == room - 1) cut(t);
  return length > 0;
}

/// The types of the standard library whose mangling is "S" and a letter, or "Sc" and one (StandardTypesMangling.def).
static const char *standard_type(const char *code) {
  static const char *const types[] = {
    "AAutoreleasingUnsafeMutablePointer", "DDictionary", "IDefaultIndices", "JCharacter", "NClosedRange",
    "OObjectIdentifier", "PUnsafePointer", "RUnsafeBufferPointer", "SString", "VUnsafeRawPointer",
    "WUnsafeRawBufferPointer", "aArray", "bBool", "dDouble", "fFloat", "hSet", "iInt", "nRange",
    "pUnsafeMutablePointer", "qOptional", "rUnsafeMutableBufferPointer", "sSubstring", "uUInt",
    "vUnsafeMutableRawPointer", "wUnsafeMutableRawBufferPointer", "cCCheckedContinuation", "ccUnsafeContinuation",
    "cECancellationError", "cGTaskGroup", "cgThrowingTaskGroup", "cMMainActor", "cPTaskPriority", "cSAsyncStream",
    "csAsyncThrowingStream", "cTTask", "ctUnsafeCurrentTask", "cJUnownedJob", "ceUnownedSerialExecutor",
  };
  size_t letters = code[0] == 'c' ? 2 : 1;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strncmp(types[i], code, letters) == 0) return types[i] + letters;
  return NULL;
}

static bool qualified(uint64_t descriptor, text *t, int depth, bool has_module);

/// The type that an extension extends, from below its module, after a dot; nothing where its mangling is unknown.
///
/// The mangled type begins with a reference to a descriptor (a byte 1 and a relative pointer, or 2 and one to a
/// pointer) or with a standard type; an optional one ends in "Sg".
static bool extended(uint64_t extension, text *t, int depth) {
  uint64_t type = follow_direct(extension + 8), descriptor = 0;
  char first[4] = {0}, last[2] = {0};
  uint32_t offset;
  for (uint64_t at = type, end = type + 400; type && at < end;) {
    char byte;
    if (!memory_read((void *)at, &byte, 1)) return true;
    if (!byte) break;
    uint64_t width = byte < 0x20 ? byte < 0x18 ? 5 : 9 : 1;
    if (at - type < sizeof first - 1) first[at - type] = byte;
    last[0] = last[1];
    last[1] = width == 1 ? byte : 0;
    at += width;
  }
  if ((first[0] == 1 || first[0] == 2) && read32(type + 1, &offset))
    descriptor = type + 1 + (uint64_t)(int64_t)(int32_t)offset;
  if (descriptor && first[0] == 2 && !read64(descriptor, &descriptor)) descriptor = 0;
  const char *name = last[0] == 'S' && last[1] == 'g' ? "Optional" : first[0] == 'S' ? standard_type(first + 1) : NULL;
  if (name) {
    append(t, ".");
    append(t, name);
  } else if (descriptor) {
    text before = *t;
    if (!qualified(descriptor, t, depth, false)) {
      *t = before;
      t->begin[t->length] = 0;
    }
  }
  return true;
}

/// The names from the module down, or from below it; anonymous contexts (private declarations) have none.
static bool qualified(uint64_t descriptor, text *t, int depth, bool has_module) {
  uint32_t flags;
  if (!descriptor || depth > 16 || !read32(descriptor, &flags)) return false;
  uint32_t kind = flags & 0x1F;
  if (kind == KIND_ANONYMOUS) return qualified(follow(descriptor + 4), t, depth + 1, has_module);
  if (kind == KIND_EXTENSION)
    return qualified(follow(descriptor + 4), t, depth + 1, has_module) && extended(descriptor, t, depth + 1);
  if (kind != KIND_MODULE && kind != KIND_PROTOCOL && (kind < KIND_CLASS || kind > KIND_ENUM)) return false;
  if (kind == KIND_MODULE && !has_module) return true;
  uint64_t name = follow_direct(descriptor + 8);
  if (!name) return false;
  if (kind != KIND_MODULE) {
    if (!qualified(follow(descriptor + 4), t, depth + 1, has_module)) return false;
    append(t, ".");
  }
  return append_name(t, name);
}

/// Where the generic arguments begin, as an offset in bytes from the metadata; 0 when unknown.
static int64_t arguments_offset(uint64_t descriptor, uint32_t kind) {
  if (kind != KIND_CLASS) return 16;  // value metadata: kind, descriptor, arguments
  uint32_t flags, positive, immediate;
  if (!read32(descriptor, &flags) || !read32(descriptor + 28, &positive) || !read32(descriptor + 32, &immediate))
    return 0;
  // ClassDescriptor: superclass 20, negative size 24, positive size 28, immediate members 32, …
  // With a resilient superclass (kind flag bit 13, in flags bit 29) the word at 24 leads elsewhere.
  if (flags & (1u << 29)) return 0;
  return ((int64_t)positive - (int64_t)immediate) * 8;
}

static bool generic_arguments(uint64_t metadata, uint64_t descriptor, uint32_t flags, text *t, int depth);
static bool type_name(uint64_t metadata, text *t, int depth);

static void member_name(uint64_t metadata, text *t, int depth) {
  if (!type_name(metadata, t, depth + 1)) append(t, "_");
}

/// "(Swift.Int, Swift.String)", of types that begin `stride` bytes apart; labels are left out.
static void list(uint64_t first, uint64_t count, uint64_t stride, text *t, int depth) {
  append(t, "(");
  for (uint64_t i = 0; i < count; i++) {
    uint64_t member = 0;
    if (i) append(t, ", ");
    if (!read64(first + i * stride, &member)) member = 0;
    member_name(member, t, depth);
  }
  append(t, ")");
}

/// "any App.Style & App.Named", "Any".
static bool existential_name(uint64_t metadata, text *t) {
  uint32_t flags, count;
  if (!read32(metadata + 8, &flags) || !read32(metadata + 12, &count) || count > MOST_MEMBERS) return false;
  bool is_for_all = flags & 0x80000000u, has_superclass = flags & 0x40000000u;
  if ((flags >> 24 & 0x3F) == 1) {
    append(t, "any Swift.Error");
    return true;
  }
  if (count == 0 && !has_superclass) {
    append(t, is_for_all ? "Any" : "Swift.AnyObject");
    return true;
  }
  append(t, "any ");
  for (uint32_t i = 0; i < count + has_superclass; i++) {
    uint64_t part;
    if (i) append(t, " & ");
    if (!read64(metadata + 16 + 8u * i, &part)) return false;
    text named = *t;
    bool known = has_superclass && i == 0 ? type_name(part, t, 4) : qualified(part & ~(uint64_t)1, t, 0, true);
    if (known) continue;
    *t = named;
    append(t, "_");
  }
  return true;
}

/// The name of a type that has no declaration: a tuple, a function, a protocol's existential, a metatype.
static bool structural_name(uint64_t metadata, uint64_t kind, text *t, int depth) {
  uint64_t word;
  if (kind == METADATA_EXISTENTIAL) return existential_name(metadata, t);
  if (!read64(metadata + 8, &word)) return false;
  switch (kind) {
    case METADATA_TUPLE:
      if (word > MOST_MEMBERS) return false;
      list(metadata + 24, word, 16, t, depth);
      return true;
    case METADATA_FUNCTION: {
      uint64_t result;
      if ((word & 0xFFFF) > MOST_MEMBERS || !read64(metadata + 16, &result)) return false;
      list(metadata + 24, word & 0xFFFF, 8, t, depth);
      if (word & FUNCTION_ASYNC) append(t, " async");
      if (word & FUNCTION_THROWS) append(t, " throws");
      append(t, " -> ");
      member_name(result, t, depth);
      return true;
    }
    case METADATA_METATYPE:
      member_name(word, t, depth);
      append(t, ".Type");
      return true;
    default: return false;
  }
}

static bool type_name(uint64_t metadata, text *t, int depth) {
  uint64_t kind, descriptor;
  uint32_t flags;
  text before = *t;
  if (depth > 4 || !read64(metadata, &kind)) return false;
  if (kind >= METADATA_TUPLE && kind <= METADATA_METATYPE) {
    if (structural_name(metadata, kind, t, depth)) return true;
    *t = before;
    return false;
  }
  if (class_is_class(kind)) descriptor = class_descriptor(metadata);
  else if (kind < METADATA_STRUCT || kind > METADATA_OPTIONAL || !read64(metadata + 8, &descriptor)) return false;
  if (!descriptor || !read32(descriptor, &flags)) return false;
  if (!qualified(descriptor, t, 0, true)) {
    *t = before;
    return false;
  }
  if (flags & 0x80) generic_arguments(metadata, descriptor, flags, t, depth);
  return true;
}

static bool generic_arguments(uint64_t metadata, uint64_t descriptor, uint32_t flags, text *t, int depth) {
  uint32_t kind = flags & 0x1F;
  // The generic context header follows the descriptor's fixed part: u16 counts of parameters, of requirements, and of
  // arguments in the metadata, which has none for a parameter that is fixed (extension Array where Element == Int).
  //   class: 44 bytes, then two relative pointers of the generic context; struct and enum: 28 bytes
  uint64_t header = descriptor + (kind == KIND_CLASS ? 44 : 28) + 8;
  uint32_t counts, keys;
  if (!read32(header, &counts) || !read32(header + 4, &keys)) return false;
  uint32_t parameters = counts & 0xFFFF;
  if ((keys & 0xFFFF) < parameters || parameters > 8) return false;
  // Each parameter has a byte; what follows the arguments of the others is no argument.
  for (uint32_t i = 0; i < parameters; i++) {
    uint8_t parameter;
    if (!memory_read((void *)(header + 8 + i), &parameter, 1) || !(parameter & 0x80)) return false;
  }
  int64_t offset = arguments_offset(descriptor, kind);
  if (!parameters || offset <= 0) return false;
  text before = *t;
  append(t, "<");
  for (uint32_t i = 0; i < parameters; i++) {
    uint64_t argument;
    if (!read64(metadata + (uint64_t)offset + 8u * i, &argument) || !argument) {
      *t = before;
      t->begin[t->length] = 0;
      return false;
    }
    if (i) append(t, ", ");
    member_name(argument, t, depth);
  }
  append(t, ">");
  return true;
}

bool class_name(uint64_t metadata, char *into, size_t limit, bool *is_cut) {
  text t = {into, 0, limit, false};
  into[0] = 0;
  bool known = type_name(metadata, &t, 0);
  *is_cut = t.is_cut;
  return known;
}
