/* The golden models for programs in C and C++. Generated; do not edit.
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * What can fail returns a CotenantStatus; cotenant_message says what was wrong in the last call of
 * the same thread that failed. A model may be used by any thread; a call waits for another one that
 * uses the same model. Link with libcotenant_capi.
 */

#ifndef COTENANT_H
#define COTENANT_H

#include <stddef.h>
#include <stdint.h>

// What became of a call.
typedef enum CotenantStatus {
  // It did what it says.
  CotenantOk = 0,
  // A pointer is null that must not be.
  CotenantNull = 1,
  // There is no unit, parameter, port or register of this name or number.
  CotenantUnknown = 2,
  // A text is no parameters, or no UTF-8.
  CotenantText = 3,
  // There is no such unit with these parameters.
  CotenantParameter = 4,
  // A row has too many or too few words, or a buffer is too short.
  CotenantLength = 5,
  // A value does not fit its port, or the unit may not be driven with it.
  CotenantIllegal = 6,
  // A state of another unit, or of the same with other parameters.
  CotenantOtherState = 7,
  // A defect of this library; the model must not be used any more.
  CotenantDefect = 8,
} CotenantStatus;

// Which ports.
typedef enum CotenantDirection {
  // Those that are driven.
  CotenantInput = 0,
  // Those that are read.
  CotenantOutput = 1,
} CotenantDirection;

// A model. C knows it by pointers only.
typedef struct CotenantModel CotenantModel;

// Stimulus of a unit. C knows it by pointers only.
typedef struct CotenantStimulus CotenantStimulus;

// A port of a model.
typedef struct CotenantPort {
  // Its name, which is that of the Verilog module's port; the model's.
  const char *name;
  // Its width in bits.
  size_t width;
  // Number of values packed in it, element 0 in the low bits; 1 if it is not packed.
  size_t elements;
  // The word of the row at which it starts.
  size_t word;
  // Number of words that it takes.
  size_t words;
} CotenantPort;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// What was wrong in the last call of this thread that failed; empty if none did. It is the
// library's, and stays until the next call of this thread that fails.
const char *cotenant_message(void);

// The number of units.
size_t cotenant_unit_count(void);

// The name of a unit, by its number from 0; null if there is none. It is the library's and stays.
const char *cotenant_unit_name(size_t number);

// The version of this library: `0.1.0`. It is the library's and stays.
const char *cotenant_version(void);

// The parameters of a unit as JSON, in the order in which numbers are read:
// `[{"max":64,"min":1,"name":"WAYS","usual":null},..]`. A bound that depends on other parameters is
// a formula in a string; bounds that only the model knows are null, and so is `usual` where the
// parameter must be given; it is a string where it is the value of another one.
//
// Written to `buffer`, which has `size` bytes, with a zero byte behind; the length without it to
// `length`, if that is not null. With a null buffer and size 0 only the length is told.
//
// # Safety
// The pointers are null, or `unit` is to a text, `buffer` to `size` bytes, `length` to a number.
enum CotenantStatus cotenant_unit_parameters(const char *unit,
                                             char *buffer,
                                             size_t size,
                                             size_t *length);

// Makes a model of a unit in its reset state, with parameters as on the command line: `4x4x21`,
// `WAYS=4,KERNELS=4,CNT_W=21` or `4x4x21,STAGES=2`. It is written to `made`, and freed with
// `cotenant_free`; null is written if it fails.
//
// # Safety
// The pointers are null, or `unit` and `parameters` are to texts and `made` to a pointer.
enum CotenantStatus cotenant_new(const char *unit,
                                 const char *parameters,
                                 struct CotenantModel **made);

// Frees a model or a saved state. Null is allowed. No other thread may be using it.
//
// # Safety
// The pointer is null or to a model that has not been freed.
void cotenant_free(struct CotenantModel *model);

// The unit's name; null if `model` is. It is the model's.
//
// # Safety
// The pointer is null or to a model.
const char *cotenant_unit(const struct CotenantModel *model);

// The parameters, all of them: `WAYS=4,KERNELS=4,CNT_W=21,STAGES=1`; null if `model` is. The text
// is the model's.
//
// # Safety
// The pointer is null or to a model.
const char *cotenant_parameters(const struct CotenantModel *model);

// The number of ports of a direction; 0 if there is no model or direction. The clock is no port.
//
// # Safety
// The pointer is null or to a model.
size_t cotenant_port_count(const struct CotenantModel *model, int32_t direction);

// The number of 64-bit words of a row of all ports of a direction; 0 if there is no model or
// direction.
//
// # Safety
// The pointer is null or to a model.
size_t cotenant_word_count(const struct CotenantModel *model, int32_t direction);

// Describes a port, by its number from 0.
//
// # Safety
// The pointers are null, or to a model and to a port.
enum CotenantStatus cotenant_port(const struct CotenantModel *model,
                                  int32_t direction,
                                  size_t number,
                                  struct CotenantPort *port);

// Whether the unit may be driven with these inputs in its present state: `CotenantOk`, or
// `CotenantIllegal` with the reason as message.
//
// # Safety
// The pointers are null, or to a model and to `input_words` words.
enum CotenantStatus cotenant_legal(const struct CotenantModel *model,
                                   const uint64_t *inputs,
                                   size_t input_words);

// One clock cycle: takes a row of inputs, gives the outputs seen during the cycle, then passes the
// clock edge. Each port starts a 64-bit word, in the order of the ports.
//
// Inputs that fit their ports but are not legal are taken; what they do is unspecified. If a value
// does not fit its port, nothing happens and the status is `CotenantIllegal`.
//
// # Safety
// The pointers are null, or to a model, `input_words` words, and `output_words` words that do not
// overlap them.
enum CotenantStatus cotenant_step(struct CotenantModel *model,
                                  const uint64_t *inputs,
                                  size_t input_words,
                                  uint64_t *outputs,
                                  size_t output_words);

// Puts every register back to its reset value.
//
// # Safety
// The pointer is null or to a model.
enum CotenantStatus cotenant_reset(struct CotenantModel *model);

// The value of a register before the next clock edge, by name: `sequence_number`, `count[2][1]`.
// Flags are 0 or 1, masks are numbers.
//
// # Safety
// The pointers are null, or to a model, a text and a number.
enum CotenantStatus cotenant_register(const struct CotenantModel *model,
                                      const char *name,
                                      uint64_t *value);

// All registers as JSON, written as `cotenant_unit_parameters` does.
//
// # Safety
// The pointers are null, or to a model, `size` bytes and a number.
enum CotenantStatus cotenant_state(const struct CotenantModel *model,
                                   char *buffer,
                                   size_t size,
                                   size_t *length);

// Saves the state: writes a copy of the model to `saved`, which is freed with `cotenant_free`. The
// copy is a model itself, and goes on from there on its own.
//
// # Safety
// The pointers are null, or to a model and to a pointer.
enum CotenantStatus cotenant_save(const struct CotenantModel *model, struct CotenantModel **saved);

// Goes on from a saved state of the same unit with the same parameters; it stays as it is.
//
// # Safety
// The pointers are null or to models.
enum CotenantStatus cotenant_restore(struct CotenantModel *model,
                                     const struct CotenantModel *saved);

// The name of a profile of a unit, by its number from 0; null if there is none, or no such unit. It is
// the library's and stays. `cotenant list UNIT` says what each is for.
//
// # Safety
// The pointer is null or to a text.
const char *cotenant_unit_profile(const char *unit,
                                  size_t number);

// Makes stimulus of a unit with parameters, which are as in `cotenant_new`: from reset on, without an
// end, the same for the same arguments on every machine, and what `cotenant vectors` writes for them.
//
// `profile` is `mix` for all profiles of the unit by turns, the name of one, or several with plus signs
// between them. `directed` is the most cycles of the directed part, the shortest way found from reset to
// each bin of the unit's functional coverage, so that counters reach their limits; 0 for none. Finding it
// takes some seconds for large units; 400000 are enough for most.
//
// It is written to `made`, and freed with `cotenant_stimulus_free`; null is written if it fails.
//
// # Safety
// The pointers are null, or `made` is to a pointer and the others to texts.
enum CotenantStatus cotenant_stimulus_new(const char *unit,
                                          const char *parameters,
                                          const char *profile,
                                          uint64_t seed,
                                          uint64_t directed,
                                          struct CotenantStimulus **made);

// Frees stimulus. Null is allowed. No other thread may be using it.
//
// # Safety
// The pointer is null or to stimulus that has not been freed.
void cotenant_stimulus_free(struct CotenantStimulus *stimulus);

// Cycles of the directed part, which follow the reset; 0 if there is no stimulus.
//
// # Safety
// The pointer is null or to stimulus.
uint64_t cotenant_stimulus_directed(const struct CotenantStimulus *stimulus);

// Writes the row of inputs of the next cycle, which `model` is in front of. They are legal in its state,
// and follow from it where the unit is answered by what it does. The model is of the same unit with the
// same parameters; it stays as it is until `cotenant_step` takes it through the cycle. In a state that
// the inputs before did not lead to (`cotenant_reset`, `cotenant_restore`), stimulus goes on from there.
//
// The first two cycles reset a unit that has a reset; in the first, flops of a design are unknown.
//
// # Safety
// The pointers are null, or to stimulus, a model, and `input_words` words.
enum CotenantStatus cotenant_stimulus_next(struct CotenantStimulus *stimulus,
                                           const struct CotenantModel *model,
                                           uint64_t *inputs,
                                           size_t input_words);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* COTENANT_H */
