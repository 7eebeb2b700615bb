#pragma once
// The trace file of this process: created once, grown chunk by chunk, written through shared mappings.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lifeline_format.h"
#include "Process/process.h"

/// Decides where chunks are, if not each one after all others.
typedef struct trace_file_places {
  bool (*begin)(void);                                         // the file has its header; false when there is no room
  uint8_t *(*claim)(bool is_events);                           // a mapped, zeroed chunk, or NULL after stepping aside
  void (*release)(const uint8_t *chunk, uint64_t last_clock);  // a chunk is no longer written
} trace_file_places;
void trace_file_use(const trace_file_places *places);

/// Creates the file and its header; false (with a notice) when that is impossible.
bool trace_file_create(void);
/// A new mapped, zeroed chunk with its header filled in, or NULL after stepping aside.
uint8_t *trace_file_chunk(uint32_t magic, uint32_t stream, uint64_t sequence, uint32_t thread);
/// Maps the chunk at a place of the file; NULL when that is impossible.
uint8_t *trace_file_map(uint32_t place);
/// A mapped, zeroed chunk at a new place of the file; NULL and the error when that is impossible.
uint8_t *trace_file_extend(uint32_t place, int *error);
/// Completes a chunk and unmaps it.
void trace_file_seal(uint8_t *chunk, uint32_t length, uint32_t events, uint64_t last_clock);
/// Unmaps a chunk without changes.
void trace_file_release(uint8_t *chunk, uint64_t last_clock);
/// Ends the recording because of a system error.
void trace_file_stop_for(int error);
/// Completes a chunk whose memory another thread may still write to: the memory stays, detached from the file.
void trace_file_seal_in_use(uint8_t *chunk, uint32_t length, uint32_t events, uint64_t last_clock);
/// Detaches memory from the trace: what is written to it from now on is discarded.
void trace_file_cut(uint8_t *memory, size_t size);
/// Closes the complete trace; the process continues.
void trace_file_close(void);
/// Ends the recording permanently: prints the reason on stderr once and leaves the program alone from then on.
void trace_file_stop(uint32_t reason);
