#pragma once
// Writes information records. All functions take the process lock unless their name ends in _locked.
#include <stdint.h>

void record_lock(void);
void record_unlock(void);

void record_program(void);
void record_image_locked(uint32_t id, uint32_t flags, uint64_t bias, uint64_t first, uint64_t end,
                         const uint8_t *build_id, uint32_t build_id_size, const char *path);
void record_image_gone_locked(uint32_t id);
void record_class_locked(uint32_t id, uint32_t flags, uint64_t metadata, uint64_t superclass,
                         uint32_t instance_size, uint32_t image, const char *name);
void record_thread_begin(uint32_t number, uint32_t kernel_id, const char *name);
void record_thread_name(uint32_t number, const char *name);
void record_thread_end(uint32_t number);
/// Writes a string and returns its id.
uint32_t record_new_string(const char *text);
/// One object in `denominator` is recorded from now on.
void record_sample(uint32_t denominator);
void record_detour(uint32_t status, const char *entry_point);
void record_notice(uint32_t reason, const char *sentence);
void record_runtime(uint32_t method, const char *path, const char *version);
void record_option(const char *key, const char *value);
/// An object of a class existed before the recording started.
void record_older(uint32_t class_id, uint64_t address);
/// Completes the information; the recording has stopped. Another one starts anew.
void record_close(void);
