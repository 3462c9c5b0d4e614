/* The golden models from C: what works, and every way to fail.
 * SPDX-License-Identifier: MIT OR Apache-2.0 */

#include "cotenant.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                    \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition,    \
              cotenant_message());                                           \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

#define FAILS(call, status, text)                                            \
  do {                                                                       \
    EXPECT((call) == (status));                                              \
    if (strcmp(cotenant_message(), (text)) != 0) {                           \
      fprintf(stderr, "%s:%d: '%s', expected '%s'\n", __FILE__, __LINE__,    \
              cotenant_message(), (text));                                   \
      exit(1);                                                               \
    }                                                                        \
  } while (0)

/* The word of a port's row. */
static size_t word_of(const CotenantModel *model, int direction, const char *name) {
  CotenantPort port;
  for (size_t i = 0; i < cotenant_port_count(model, direction); i++) {
    EXPECT(cotenant_port(model, direction, i, &port) == CotenantOk);
    if (strcmp(port.name, name) == 0) return port.word;
  }
  fprintf(stderr, "no port %s\n", name);
  exit(1);
}

static void lists(void) {
  int found = 0;
  EXPECT(cotenant_unit_count() > 30);
  for (size_t i = 0; i < cotenant_unit_count(); i++)
    found += strcmp(cotenant_unit_name(i), "gdcu") == 0;
  EXPECT(found == 1);
  EXPECT(cotenant_unit_name(1000) == NULL);
  EXPECT(strlen(cotenant_version()) > 0);

  char text[1000];
  size_t length;
  EXPECT(cotenant_unit_parameters("gdcu", NULL, 0, &length) == CotenantOk);
  EXPECT(cotenant_unit_parameters("gdcu", text, sizeof text, NULL) == CotenantOk);
  EXPECT(strlen(text) == length);
  EXPECT(strstr(text, "{\"max\":64,\"min\":\"pos_w(WAYS)\",\"name\":\"CNT_W\",\"usual\":null}"));
  FAILS(cotenant_unit_parameters("gdc", text, sizeof text, NULL), CotenantUnknown,
        "there is no unit 'gdc'; the nearest is 'gdcu'");
  FAILS(cotenant_unit_parameters("gdcu", text, 10, &length), CotenantLength,
        "the buffer has 10 bytes, expected at least 200");
  FAILS(cotenant_unit_parameters(NULL, text, 10, NULL), CotenantNull, "unit is null");
  FAILS(cotenant_unit_parameters("gdcu", NULL, 10, NULL), CotenantNull, "buffer is null");
}

/* An access of kernel 1 demotes two lines of kernel 0; a snapshot, then a read. */
static void counts(void) {
  CotenantModel *gdcu;
  EXPECT(cotenant_new("gdcu", "4x4x21", &gdcu) == CotenantOk);
  EXPECT(strcmp(cotenant_unit(gdcu), "gdcu") == 0);
  EXPECT(strcmp(cotenant_parameters(gdcu), "WAYS=4,KERNELS=4,CNT_W=21,STAGES=1") == 0);

  uint64_t in[32] = {0}, out[32] = {0};
  size_t ins = cotenant_word_count(gdcu, CotenantInput);
  size_t outs = cotenant_word_count(gdcu, CotenantOutput);
  EXPECT(ins <= 32 && outs <= 32);

  CotenantPort owner;
  EXPECT(cotenant_port(gdcu, CotenantInput, 4, &owner) == CotenantOk);
  EXPECT(strcmp(owner.name, "stack_owner") == 0);
  EXPECT(owner.width == 8 && owner.elements == 4 && owner.words == 1 && owner.word == 4);

  in[word_of(gdcu, 0, "access_valid")] = 1;
  in[word_of(gdcu, 0, "access_kid")] = 1;
  in[word_of(gdcu, 0, "access_pos")] = 2;
  in[word_of(gdcu, 0, "stack_valid")] = 7;
  in[owner.word] = 2 << 4; /* positions 0 and 1: kernel 0 */
  EXPECT(cotenant_legal(gdcu, in, ins) == CotenantOk);
  EXPECT(cotenant_step(gdcu, in, ins, out, outs) == CotenantOk);
  memset(in, 0, sizeof in);
  EXPECT(cotenant_step(gdcu, in, ins, out, outs) == CotenantOk);

  CotenantModel *saved;
  EXPECT(cotenant_save(gdcu, &saved) == CotenantOk);

  in[word_of(gdcu, 0, "snapshot")] = 1;
  EXPECT(cotenant_step(gdcu, in, ins, out, outs) == CotenantOk);
  in[word_of(gdcu, 0, "snapshot")] = 0;
  in[word_of(gdcu, 0, "read_aggressor")] = 1;
  EXPECT(cotenant_step(gdcu, in, ins, out, outs) == CotenantOk);
  EXPECT(cotenant_step(gdcu, in, ins, out, outs) == CotenantOk);
  uint64_t counted = out[word_of(gdcu, 1, "read_count")];
  EXPECT(counted == 2);

  uint64_t value;
  EXPECT(cotenant_register(gdcu, "sequence_number", &value) == CotenantOk && value == 1);
  EXPECT(cotenant_restore(gdcu, saved) == CotenantOk);
  EXPECT(cotenant_register(gdcu, "sequence_number", &value) == CotenantOk && value == 0);
  EXPECT(cotenant_reset(gdcu) == CotenantOk);
  FAILS(cotenant_register(gdcu, "nothing", &value), CotenantUnknown, "gdcu has no register 'nothing'");

  size_t length;
  EXPECT(cotenant_state(gdcu, NULL, 0, &length) == CotenantOk);
  char *state = malloc(length + 1);
  EXPECT(cotenant_state(gdcu, state, length + 1, NULL) == CotenantOk);
  EXPECT(strlen(state) == length && strstr(state, "\"sequence_number\":0"));
  free(state);

  /* Inputs that are illegal or do not fit; nothing has changed then. */
  in[word_of(gdcu, 0, "access_pos")] = 5;
  in[word_of(gdcu, 0, "access_valid")] = 1;
  FAILS(cotenant_legal(gdcu, in, ins), CotenantIllegal, "access_pos is 5, expected at most 4");
  in[word_of(gdcu, 0, "access_pos")] = 8;
  FAILS(cotenant_step(gdcu, in, ins, out, outs), CotenantIllegal, "access_pos is 8, expected at most 7");
  FAILS(cotenant_step(gdcu, in, 3, out, outs), CotenantLength, "inputs are 3 words, expected 10");
  FAILS(cotenant_step(gdcu, in, ins, out, 1), CotenantLength, "outputs are 1 words, expected 4");
  FAILS(cotenant_step(gdcu, NULL, ins, out, outs), CotenantNull, "inputs is null");
  FAILS(cotenant_step(gdcu, in, ins, NULL, outs), CotenantNull, "outputs is null");

  CotenantModel *other;
  EXPECT(cotenant_new("lru_stack", "2x2", &other) == CotenantOk);
  FAILS(cotenant_restore(gdcu, other), CotenantOtherState,
        "the state is one of lru_stack WAYS=2,KERNELS=2, expected one of gdcu "
        "WAYS=4,KERNELS=4,CNT_W=21,STAGES=1");
  FAILS(cotenant_port(gdcu, 2, 0, &owner), CotenantUnknown,
        "direction is 2, expected 0 for inputs or 1 for outputs");
  FAILS(cotenant_port(gdcu, 1, 4, &owner), CotenantUnknown, "port is 4, expected less than 4");
  cotenant_free(other);
  cotenant_free(saved);
  cotenant_free(gdcu);
}

static void refuses(void) {
  CotenantModel *model = (CotenantModel *)1;
  uint64_t word = 0;
  FAILS(cotenant_new("gdc", "4x4x21", &model), CotenantUnknown,
        "there is no unit 'gdc'; the nearest is 'gdcu'");
  EXPECT(model == NULL);
  FAILS(cotenant_new("gdcu", "65x4x21", &model), CotenantParameter,
        "gdcu: ways is 65, expected 1 to 64");
  FAILS(cotenant_new("gdcu", "4x4x21,WAYS", &model), CotenantText,
        "gdcu: 'WAYS' is no KEY=VALUE; the parameters are WAYS, KERNELS, CNT_W, STAGES");
  FAILS(cotenant_new("gdcu\xff", "4x4x21", &model), CotenantText, "unit is no UTF-8");
  FAILS(cotenant_new(NULL, "4x4x21", &model), CotenantNull, "unit is null");
  FAILS(cotenant_new("gdcu", NULL, &model), CotenantNull, "parameters is null");
  FAILS(cotenant_new("gdcu", "4x4x21", NULL), CotenantNull, "made is null");
  FAILS(cotenant_legal(NULL, &word, 1), CotenantNull, "model is null");
  FAILS(cotenant_step(NULL, &word, 1, &word, 1), CotenantNull, "model is null");
  FAILS(cotenant_reset(NULL), CotenantNull, "model is null");
  FAILS(cotenant_register(NULL, "a", &word), CotenantNull, "model is null");
  FAILS(cotenant_state(NULL, NULL, 0, NULL), CotenantNull, "model is null");
  FAILS(cotenant_save(NULL, &model), CotenantNull, "model is null");
  FAILS(cotenant_save(NULL, NULL), CotenantNull, "saved is null");
  FAILS(cotenant_restore(NULL, NULL), CotenantNull, "model is null");
  FAILS(cotenant_port(NULL, 0, 0, NULL), CotenantNull, "model is null");
  EXPECT(cotenant_unit(NULL) == NULL && cotenant_parameters(NULL) == NULL);
  EXPECT(cotenant_port_count(NULL, 0) == 0 && cotenant_word_count(NULL, 0) == 0);
  cotenant_free(NULL);
}

/* Stimulus is legal, follows a model that is put back, and is the same again. */
static void drives(void) {
  static const char *units[][2] = {{"lru_stack", "4x3"},
                                   {"llc_monitor_axi", "2x2x16x1"},
                                   {"mem_issue", "KERNELS=2"},
                                   {"popcnt", "64"}};
  for (size_t u = 0; u < sizeof units / sizeof units[0]; u++) {
    const char *unit = units[u][0], *parameters = units[u][1];
    CotenantModel *model, *begin;
    CotenantStimulus *stimulus[2];
    EXPECT(cotenant_new(unit, parameters, &model) == CotenantOk);
    EXPECT(cotenant_save(model, &begin) == CotenantOk);
    for (int i = 0; i < 2; i++)
      EXPECT(cotenant_stimulus_new(unit, parameters, "mix", 7, 500, &stimulus[i]) == CotenantOk);
    EXPECT(cotenant_stimulus_directed(stimulus[0]) <= 500);
    EXPECT(u != 0 || cotenant_stimulus_directed(stimulus[0]) > 0);
    size_t ins = cotenant_word_count(model, 0), outs = cotenant_word_count(model, 1);
    uint64_t in[2][64], out[64];
    EXPECT(ins <= 64 && outs <= 64);
    for (int cycle = 0; cycle < 2000; cycle++) {
      if (cycle == 1000) EXPECT(cotenant_restore(model, begin) == CotenantOk);
      for (int i = 0; i < 2; i++)
        EXPECT(cotenant_stimulus_next(stimulus[i], model, in[i], ins) == CotenantOk);
      EXPECT(memcmp(in[0], in[1], ins * sizeof in[0][0]) == 0);
      EXPECT(cotenant_legal(model, in[0], ins) == CotenantOk);
      EXPECT(cotenant_step(model, in[0], ins, out, outs) == CotenantOk);
    }
    for (int i = 0; i < 2; i++) cotenant_stimulus_free(stimulus[i]);
    cotenant_free(begin);
    cotenant_free(model);
  }
}

static void refuses_to_drive(void) {
  CotenantStimulus *stimulus = (CotenantStimulus *)1;
  CotenantModel *model;
  uint64_t in[8];
  EXPECT(strcmp(cotenant_unit_profile("popcnt", 0), "uniform") == 0);
  EXPECT(cotenant_unit_profile("popcnt", 3) == NULL && cotenant_unit_profile(NULL, 0) == NULL);
  EXPECT(cotenant_unit_profile("popcount", 0) == NULL);
  FAILS(cotenant_stimulus_new("gdc", "4x4x21", "mix", 1, 0, &stimulus), CotenantUnknown,
        "there is no unit 'gdc'; the nearest is 'gdcu'");
  EXPECT(stimulus == NULL);
  FAILS(cotenant_stimulus_new("gdcu", "65x4x21", "mix", 1, 0, &stimulus), CotenantParameter,
        "gdcu: ways is 65, expected 1 to 64");
  FAILS(cotenant_stimulus_new("popcnt", "8", "hits", 1, 0, &stimulus), CotenantUnknown,
        "popcnt has no profile 'hits'; its profiles are uniform, invalid-ways, saturation");
  FAILS(cotenant_stimulus_new("popcnt", "8", NULL, 1, 0, &stimulus), CotenantNull, "profile is null");
  FAILS(cotenant_stimulus_new("popcnt", "8", "mix", 1, 0, NULL), CotenantNull, "made is null");
  EXPECT(cotenant_stimulus_new("lru_stack", "2x2", "skewed+hits", 1, 0, &stimulus) == CotenantOk);
  EXPECT(cotenant_new("lru_stack", "2x3", &model) == CotenantOk);
  FAILS(cotenant_stimulus_next(stimulus, model, in, 8), CotenantOtherState,
        "the model is one of lru_stack WAYS=2,KERNELS=3, the stimulus is for lru_stack "
        "WAYS=2,KERNELS=2");
  FAILS(cotenant_stimulus_next(stimulus, model, in, 7), CotenantLength,
        "inputs are 7 words, expected 8");
  FAILS(cotenant_stimulus_next(stimulus, model, NULL, 8), CotenantNull, "inputs is null");
  FAILS(cotenant_stimulus_next(stimulus, NULL, in, 8), CotenantNull, "model is null");
  FAILS(cotenant_stimulus_next(NULL, model, in, 8), CotenantNull, "stimulus is null");
  EXPECT(cotenant_stimulus_directed(NULL) == 0);
  cotenant_stimulus_free(stimulus);
  cotenant_stimulus_free(NULL);
  cotenant_free(model);
}

/* Each thread takes every snapshot of a common model, and has messages of its own. */
static void *snapshots(void *common) {
  uint64_t in[10] = {0}, out[4];
  CotenantModel *model = common;
  in[word_of(model, 0, "snapshot")] = 1;
  for (int i = 0; i < 1000; i++) EXPECT(cotenant_step(model, in, 10, out, 4) == CotenantOk);
  EXPECT(strcmp(cotenant_message(), "") == 0);
  FAILS(cotenant_legal(model, in, 1), CotenantLength, "inputs are 1 words, expected 10");
  return NULL;
}

static void threads(void) {
  CotenantModel *model;
  pthread_t thread[4];
  uint64_t value;
  EXPECT(cotenant_new("gdcu", "4x4x21", &model) == CotenantOk);
  for (int i = 0; i < 4; i++) EXPECT(pthread_create(&thread[i], NULL, snapshots, model) == 0);
  for (int i = 0; i < 4; i++) EXPECT(pthread_join(thread[i], NULL) == 0);
  EXPECT(cotenant_register(model, "sequence_number", &value) == CotenantOk);
  EXPECT(value == 4000 % 256);
  cotenant_free(model);
}

int main(void) {
  lists();
  counts();
  refuses();
  drives();
  refuses_to_drive();
  threads();
  puts("all as expected");
  return 0;
}
