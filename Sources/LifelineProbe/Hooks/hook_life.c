// Allocation, deinit and deallocation.
//
// As in hook_object.c each hook decides in a few instructions, and records in a function that it calls last.
#include "Hooks/hook_life.h"
#include "Detection/guard.h"
#include "Detection/watch.h"
#include "Detection/zombie.h"
#include "Hooks/hook_object.h"
#include "Process/options.h"
#include "Process/sample.h"
#include "Recording/allocation_tag.h"
#include "Recording/event.h"
#include "Recording/event_life.h"
#include "Recording/thread.h"

OUT_OF_LINE void write_allocation(thread_state *t, const class_info *c, uint64_t object, size_t size, uint32_t tag,
                                  call_site at) {
  uint64_t other_size = size == c->instance_size ? 0 : size;
  if (the_options.lives) event_write_life(t, LIFELINE_EVENT_allocate, object, at, c->id, other_size);
  else event_write_allocation(t, object, at, c->id, other_size);
  allocation_tag_write(t, object, tag, at);
}

OUT_OF_LINE void *alloc_recorded(uint64_t metadata, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  uint32_t tag = allocation_tag();
  const class_info *c = class_of(metadata);
  thread_state *t = thread_enter(call_site_slot(at));
  void *object = NULL;
  if (t && (c->flags & LIFELINE_CLASS_GUARDED) && guard_arena != GUARD_NOWHERE) {
    object = alignment_mask <= 15 ? guard_allocate(metadata, size) : NULL;
    if (!object) process_count(LIFELINE_COUNTER_unguardedObjects);
  }
  if (!object) object = ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
  if (!t) return object;
  write_allocation(t, c, (uint64_t)object, size, tag, at);
  thread_leave(t);
  return object;
}

bool hook_allocated(void *object, uint64_t metadata, size_t size, call_site at) {
  const class_info *c = class_of(metadata);
  if (!c->id) return false;
  uint32_t tag = allocation_tag();
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return false;
  write_allocation(t, c, (uint64_t)object, size, tag, at);
  thread_leave(t);
  return true;
}

OUT_OF_LINE void *alloc_of_unknown(uint64_t metadata, size_t size, size_t alignment_mask) {
  if (class_meet(metadata)->id) TAIL_CALL alloc_recorded(metadata, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
}

void *hook_allocObject(uint64_t metadata, size_t size, size_t alignment_mask) {
  uint64_t kind = class_kind_at_once(metadata);
  if (kind == CLASS_UNRECORDED) TAIL_CALL ORIGINAL(ENTRY_allocObject, alloc_function)(metadata, size, alignment_mask);
  if (kind < CLASS_KINDS) TAIL_CALL alloc_recorded(metadata, size, alignment_mask);
  TAIL_CALL alloc_of_unknown(metadata, size, alignment_mask);
}

/// The object of a ManagedBufferPointer. The runtime's function has its own copy of swift_allocObject in it, inlined.
void *hook_bufferAllocate(uint64_t metadata, size_t size, size_t alignment_mask) {
  TAIL_CALL hook_allocObject(metadata, size, alignment_mask);
}

typedef box (*box_function)(const uint64_t *type);

/// The size that the runtime requests from its allocator: the box's metadata has the value's offset, and the type its
/// size.
static uint64_t box_size(const heap_object *object, const uint64_t *type) {
  enum { SIZE_OF_VALUE = 8 };  // index in the value witness table
  return ((const uint32_t *)object->metadata)[2] + ((const uint64_t *)type[-1])[SIZE_OF_VALUE];
}

/// A box of a type that is known at run time only. The function has its own copy of swift_allocObject in it, inlined.
box hook_allocBox(const uint64_t *type) {
  call_site at = CALL_SITE();
  const thread_state *before = thread_current;
  uint64_t last = before ? (uint64_t)before->chunk_number << 32 | before->events : 0;
  uint64_t asked = sample_state;
  box made = ORIGINAL(ENTRY_allocBox, box_function)(type);
  bool is_chosen = sample_has(made.object) ||
                   // Unless swift_allocObject was called after all, and has asked.
                   (sample_is_remembered && sample_state == asked && sample_chooses(made.object));
  if (!is_chosen || class_kind_at_once(object_at(made.object)->metadata) == CLASS_UNRECORDED) return made;
  const class_info *c = class_meet(object_at(made.object)->metadata);
  if (!c->id) return made;
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return made;
  bool is_recorded = before == t && ((uint64_t)t->chunk_number << 32 | t->events) != last &&
                     t->last_kind == LIFELINE_EVENT_allocate && t->last_object == (uint64_t)made.object;
  if (!is_recorded && (!sample_is_remembered || sample_has(made.object) || sample_remember((uint64_t)made.object)))
    write_allocation(t, c, (uint64_t)made.object, box_size(made.object, type), 0, at);
  thread_leave(t);
  return made;
}

/// Whether a dying object was retained and kept.
OUT_OF_LINE bool has_escaped(heap_object *object) {
  uint64_t *counts = object_counts(object);
  uint64_t word = counts ? __atomic_load_n(counts, __ATOMIC_RELAXED) : 0;
  return (word & OBJECT_DEINITING) && object_strong(word) > 0 && class_of(object->metadata)->id;
}

// A deinit is over. The runtime traps when the object escaped from it.
OUT_OF_LINE void dealloc_class_recorded(void *pointer, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  heap_object *object = object_at(pointer);
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    uint64_t kept = (uint64_t)object_count(object);
    if (!on_stack(t, object, at))
      event_write(t, LIFELINE_EVENT_resurrection, (uint64_t)object, EVENT_NO_COUNT, 0, at, &kept, 1);
    thread_leave(t);
  }
  TAIL_CALL ORIGINAL(ENTRY_deallocClassInstance, dealloc_function)(pointer, size, alignment_mask);
}

/// Whether a dying object has a strong reference or a side table: few have.
static inline bool has_more_than_itself(const void *pointer) {
  return __atomic_load_n(&object_at(pointer)->counts, __ATOMIC_RELAXED) >> 33;
}

OUT_OF_LINE void dealloc_class_counted(void *pointer, size_t size, size_t alignment_mask) {
  if (has_escaped(object_at(pointer))) TAIL_CALL dealloc_class_recorded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocClassInstance, dealloc_function)(pointer, size, alignment_mask);
}

void hook_end_object(void *pointer, size_t size, size_t alignment_mask) {
  if (object_is_freed_now(object_at(pointer))) TAIL_CALL hook_give_back(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
}

// swift_deallocClassInstance checks the count, and calls swift_deallocObject through its detour.
void hook_end_class_instance(void *pointer, size_t size, size_t alignment_mask) {
  if (object_is_freed_now(object_at(pointer))) TAIL_CALL hook_give_back(pointer, size, alignment_mask);
  if (__builtin_expect(has_more_than_itself(pointer), 0))
    TAIL_CALL ORIGINAL(ENTRY_deallocClassInstance, dealloc_function)(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
}

void hook_deallocClassInstance(void *pointer, size_t size, size_t alignment_mask) {
  if (is_object(pointer)) {
    if (class_kind_at_once(object_at(pointer)->metadata) == CLASS_UNRECORDED)
      TAIL_CALL hook_end_class_instance(pointer, size, alignment_mask);
    if (__builtin_expect(has_more_than_itself(pointer), 0))
      TAIL_CALL dealloc_class_counted(pointer, size, alignment_mask);
  }
  TAIL_CALL ORIGINAL(ENTRY_deallocClassInstance, dealloc_function)(pointer, size, alignment_mask);
}

// swift_deallocObject returns the memory through swift_slowDealloc unless unowned references keep it. Both
// of its hooks see the same object; `freeing` tells the second that the memory it is given is that object.
OUT_OF_LINE void dealloc_kept(void *pointer, call_site at) {
  thread_state *t = thread_enter(call_site_slot(at));
  if (!t) return;
  event_write(t, LIFELINE_EVENT_deallocate, (uint64_t)pointer, EVENT_NO_COUNT, 0, at, NULL, 0);
  thread_leave(t);
}

KEEPS_FRAME OUT_OF_LINE void dealloc_recorded(void *pointer, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  thread_state *t = thread_enter(call_site_slot(at));
  if (zombie_is(((heap_object *)pointer)->metadata)) {
    if (t) thread_leave(t);
    zombie_report((uint64_t)pointer, LIFELINE_ACCESS_release, 0, 0, at);
    return;
  }
  if (!t || on_stack(t, pointer, at)) {
    if (t) thread_leave(t);
    TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
  }
  watch_deallocated((uint64_t)pointer);
  // At depth "lives" the free says it all, unless unowned references keep the memory.
  if (!the_options.lives) event_write_deallocation(t, (uint64_t)pointer, at);
  t->freeing = (uint64_t)pointer;
  t->freeing_at = at;
  thread_leave(t);
  // Unowned references may keep the memory: a zombie it is from here on all the same.
  if (zombie_wanted()) zombie_mark((uint64_t)pointer);
  ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
  if (the_options.lives && t->freeing) dealloc_kept(pointer, at);
  t->freeing = 0;
}

OUT_OF_LINE void dealloc_of_unknown(void *pointer, size_t size, size_t alignment_mask) {
  if (class_meet(object_at(pointer)->metadata)->id) TAIL_CALL dealloc_recorded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
}

void hook_deallocObject(void *pointer, size_t size, size_t alignment_mask) {
  if (is_object(pointer)) {
    uint64_t kind = class_kind_at_once(object_at(pointer)->metadata);
    if (kind == CLASS_UNRECORDED) TAIL_CALL hook_end_object(pointer, size, alignment_mask);
    if (kind >= CLASS_KINDS) TAIL_CALL dealloc_of_unknown(pointer, size, alignment_mask);
    TAIL_CALL dealloc_recorded(pointer, size, alignment_mask);
  }
  TAIL_CALL ORIGINAL(ENTRY_deallocObject, dealloc_function)(pointer, size, alignment_mask);
}

OUT_OF_LINE void dealloc_uninitialized_recorded(void *pointer, size_t size, size_t alignment_mask) {
  call_site at = CALL_SITE();
  thread_state *t = thread_enter(call_site_slot(at));
  if (t) {
    t->freeing = (uint64_t)pointer;
    t->freeing_at = at;
    thread_leave(t);
  }
  ORIGINAL(ENTRY_deallocUninitializedObject, dealloc_function)(pointer, size, alignment_mask);
  if (t) t->freeing = 0;
}

void hook_deallocUninitializedObject(void *pointer, size_t size, size_t alignment_mask) {
  if (is_object(pointer) && class_of_object(pointer)->id)
    TAIL_CALL dealloc_uninitialized_recorded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_deallocUninitializedObject, dealloc_function)(pointer, size, alignment_mask);
}

OUT_OF_LINE void free_recorded(void *pointer, size_t size, size_t alignment_mask) {
  thread_state *t = thread_current;
  call_site at = t->freeing_at;
  t->freeing = 0;
  t = thread_enter((uint64_t)__builtin_frame_address(0));
  if (t) {
    // The previous event is its deallocation unless something happened in between; the hook that wrote it is still
    // running.
    if (the_options.lives) event_write_life(t, LIFELINE_EVENT_free, (uint64_t)pointer, at, 0, 0);
    else if (t->last_kind == LIFELINE_EVENT_deallocate && t->last_object == (uint64_t)pointer)
      event_write_free_here(t, (uint64_t)pointer);
    else event_write(t, LIFELINE_EVENT_free, (uint64_t)pointer, EVENT_NO_COUNT, 0, at, NULL, 0);
    thread_leave(t);
  }
  if (guard_contains((uint64_t)pointer) && guard_free((uint64_t)pointer)) return;
  if (hook_keep_freed(t, pointer, size, alignment_mask)) return;
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

OUT_OF_LINE void free_guarded(void *pointer, size_t size, size_t alignment_mask) {
  if (guard_free((uint64_t)pointer)) return;
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

// An object guarded in an earlier recording may be of a class that is not recorded in this one.
void hook_give_back(void *pointer, size_t size, size_t alignment_mask) {
  if (__builtin_expect(guard_contains((uint64_t)pointer), 0)) TAIL_CALL free_guarded(pointer, size, alignment_mask);
  TAIL_CALL ORIGINAL(ENTRY_slowDealloc, dealloc_function)(pointer, size, alignment_mask);
}

void hook_let_freed_go(void) { quarantine_empty(ORIGINAL(ENTRY_slowDealloc, dealloc_function)); }

void hook_slowDealloc(void *pointer, size_t size, size_t alignment_mask) {
  const thread_state *t = thread_current;
  if (t && t->freeing == (uint64_t)pointer && pointer) TAIL_CALL free_recorded(pointer, size, alignment_mask);
  TAIL_CALL hook_give_back(pointer, size, alignment_mask);
}
