/* SPDX-License-Identifier: MIT */
/* The brain: lines to commands, see brain.h. Nothing a manager sends ends the program but END:
 * what is not known is UNKNOWN, what cannot be done is ERROR, and both change nothing. */
#include "app/brain_inside.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_MAX = 32 };

Brain *brain_open(const BrainOptions *options, Err *err)
{
    Player *trial = player_open(options->player, err); /* a bad spec is the user's fault: say so */
    if (!trial) return NULL;
    player_close(trial);
    Brain *brain = mem_zero(sizeof *brain);
    brain->options = *options;
    brain_info_init(&brain->info);
    rng_seed(&brain->rng, options->seed ? options->seed : (uint64_t)os_clock_ns());
    brain->mutex = os_mutex_open();
    brain->loading = os_cond_open();
    brain->avoid = mem_alloc((BRAIN_STONES_MAX + 1) * sizeof *brain->avoid);
    return brain;
}

void brain_close(Brain *brain)
{
    if (!brain) return;
    brain_network_close(brain);
    brain_close_player(brain);
    if (brain->board) board_close(brain->board);
    os_cond_close(brain->loading);
    os_mutex_close(brain->mutex);
    buf_free(&brain->spec);
    mem_free(brain->avoid);
    mem_free(brain);
}

/* --- answers --------------------------------------------------------------------------------- */

void brain_say(Brain *brain, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    char *line = mem_alloc((size_t)len + 1);
    vsnprintf(line, (size_t)len + 1, format, again);
    va_end(again);
    va_end(args);
    for (char *c = line; *c; c++) /* what we quote must stay on its line */
        if (iscntrl((unsigned char)*c)) *c = '?';
    brain->options.write(brain->options.ctx, line);
    mem_free(line);
}

void brain_error(Brain *brain, const Err *err)
{
    brain_say(brain, "ERROR %s", err->text);
}

/* --- reading --------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *text)
{
    while (*text == ' ' || *text == '\t') text++;
    return text;
}

bool brain_parse_end(const char *text)
{
    return *skip_blanks(text) == '\0';
}

bool brain_parse_int(const char **text, int64_t *value)
{
    const char *start = skip_blanks(*text);
    const char *digit = *start == '-' || *start == '+' ? start + 1 : start;
    if (!isdigit((unsigned char)*digit)) return false;
    char *end;
    *value = strtoll(start, &end, 10); /* too large: the largest there is, which is fine */
    *text = end;
    return true;
}

/* Reads "x,y" and, if field is not NULL, an optional ",f". */
static bool parse_entry(const char *text, int64_t *x, int64_t *y, int64_t *field)
{
    if (!brain_parse_int(&text, x)) return false;
    text = skip_blanks(text);
    if (*text++ != ',' || !brain_parse_int(&text, y)) return false;
    text = skip_blanks(text);
    if (field && *text == ',') {
        text++;
        if (!brain_parse_int(&text, field)) return false;
    }
    return brain_parse_end(text);
}

static int clamp_int(int64_t value)
{
    int most = SIZE_MAX_SIDE + 1;
    return value < -1 ? -1 : value > most ? most : (int)value;
}

bool brain_parse_pair(const char *text, int *x, int *y, Err *err)
{
    int64_t a = -1, b = -1;
    *x = *y = -1;
    if (!parse_entry(text, &a, &b, NULL))
        return err_set(err, "\"%s\" is not a point: write x,y", skip_blanks(text));
    *x = clamp_int(a); /* too large stays too large */
    *y = clamp_int(b);
    return true;
}

/* Cuts the first word off, in capitals; a word that is too long to be a command is cut short. */
static const char *take_word(const char *line, char word[WORD_MAX])
{
    int n = 0;
    line = skip_blanks(line);
    for (; *line && *line != ' ' && *line != '\t'; line++)
        if (n < WORD_MAX - 1) word[n++] = (char)toupper((unsigned char)*line);
    word[n] = '\0';
    return skip_blanks(line);
}

static const BrainCommand *find_command(const char *word)
{
    const BrainCommand *const tables[] = {brain_game_commands, brain_yixin_commands};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (const BrainCommand *c = tables[t]; c->name; c++)
            if (strcmp(c->name, word) == 0) return c;
    return NULL;
}

bool brain_line_is_stop(const char *line)
{
    char word[WORD_MAX];
    take_word(line, word);
    return strcmp(word, "STOP") == 0 || strcmp(word, "YXSTOP") == 0;
}

bool brain_line_is_end(const char *line)
{
    char word[WORD_MAX];
    take_word(line, word);
    return strcmp(word, "END") == 0;
}

/* --- blocks ---------------------------------------------------------------------------------- */

static void block_line(Brain *brain, const char *line)
{
    int64_t x, y, field = 0;
    Err *err = &brain->block_problem;
    if (err->text[0]) return; /* the first problem is the one to report */
    if (!parse_entry(line, &x, &y, &field)) {
        err_set(err, "\"%s\" is not x,y,field", line);
    } else if (x < 0 || y < 0 || x >= brain->width || y >= brain->height) {
        err_set(err, "%s is off the %dx%d board", line, brain->width, brain->height);
    } else if (field < 0 || field > 3) {
        err_set(err, "%s: the field is 1 (own), 2 (opponent) or 3", line);
    } else if (brain->entry_count == BRAIN_STONES_MAX) {
        err_set(err, "more stones than points");
    } else {
        brain->entries[brain->entry_count++] = (BrainEntry){(int)x, (int)y, (int)field};
    }
}

static void block_done(Brain *brain)
{
    const BrainCommand *block = brain->block;
    brain->block = NULL;
    if (brain->block_problem.text[0]) {
        brain_error(brain, &brain->block_problem);
    } else {
        block->done(brain);
    }
}

/* --- commands -------------------------------------------------------------------------------- */

/* What INFO could not say when it came. */
static bool take_problem(Brain *brain, const BrainCommand *command, Err *err)
{
    if (brain->problem.text[0]) {
        *err = brain->problem;
        brain->problem.text[0] = '\0';
        return true;
    }
    if (brain->rule_problem.text[0] && (command->needs_board || command->done)) {
        *err = brain->rule_problem;
        return true;
    }
    if (command->needs_board && !brain->width) {
        err_set(err, "%s: START has not come yet", command->name);
        return true;
    }
    return false;
}

static void run_command(Brain *brain, const BrainCommand *command, const char *args)
{
    Err err = {0};
    bool bad = take_problem(brain, command, &err);
    brain->block = NULL;
    if (command->needs_board) brain->awaits = false; /* until we have answered it */
    if (command->done) {                             /* the answer, good or bad, comes at DONE */
        brain->block = command;
        brain->entry_count = 0;
        brain->block_problem = err;
    } else if (bad) {
        brain_error(brain, &err);
    } else {
        command->run(brain, args);
    }
}

bool brain_handle(Brain *brain, const char *line, int64_t arrived)
{
    char word[WORD_MAX];
    const char *args = take_word(line, word);
    brain->lines++;
    brain->arrived = arrived;
    atomic_store(&brain->awake, false);
    if (!word[0]) return true;
    if (strcmp(word, "END") == 0) return false;
    if (strcmp(word, "INFO") == 0) return brain_info(brain, args), true;
    if (brain_line_is_stop(line)) return true; /* nothing is being thought about here */
    const BrainCommand *command = find_command(word);
    if (command) {
        run_command(brain, command, args);
    } else if (strcmp(word, "DONE") == 0) {
        if (brain->block) {
            block_done(brain);
        } else {
            brain_say(brain, "ERROR DONE without a command that it ends");
        }
    } else if (brain->block) {
        block_line(brain, skip_blanks(line));
    } else {
        brain_say(brain, "UNKNOWN %.200s", skip_blanks(line));
    }
    return true;
}

bool brain_is_stopped(const Brain *brain)
{
    return atomic_load(&brain->stop_until) >= brain->lines;
}

void brain_stop(Brain *brain, int64_t lines)
{
    atomic_store(&brain->stop_until, lines);
    os_mutex_lock(brain->mutex);
    if (brain->player) player_stop(brain->player);
    os_cond_broadcast(brain->loading);
    os_mutex_unlock(brain->mutex);
}

void brain_quit(Brain *brain)
{
    atomic_store(&brain->quit, true);
    brain_wake(brain);
    brain_stop(brain, INT64_MAX);
}
