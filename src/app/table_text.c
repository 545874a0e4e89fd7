/* SPDX-License-Identifier: MIT */
/* Tables in the store. Decisions are words ("h8", "swap", "h8i9g7"), with a blank between; times
 * are milliseconds; a thought is value/depth/nodes or "-". After the times of all decisions comes
 * what the one that is asked has taken so far, and "paused": both only where there is something to
 * say, and passed over by programs that do not know of them. */
#include "app/table.h"

#include "base/os.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- out ---- */

static void write_acts(const TableGame *table, Buf *acts, Buf *times, Buf *thoughts)
{
    for (int i = 0; i < table->act_total; i++) {
        const Act *act = &table->acts[i];
        const char *gap = i ? " " : "";
        char text[POINT_TEXT_MAX];
        buf_add_text(acts, gap);
        if (act->decision == DECIDE_SWAP) buf_add_text(acts, "swap");
        for (int k = 0; k < act->stone_count && act->decision != DECIDE_SWAP; k++)
            buf_add_text(acts, point_text(&table->rules, act->stones[k], text));
        buf_printf(times, "%s%lld", gap, (long long)act->elapsed_ms);
        if (act->has_value) {
            buf_printf(thoughts, "%s%.4f/%d/%lld", gap, (double)act->value, act->depth,
                       (long long)act->nodes);
        } else {
            buf_printf(thoughts, "%s-", gap);
        }
    }
}

static void write_pause(const TableGame *table, Buf *times)
{
    if (table->game.over || !(table->spent_ms || table->paused)) return;
    buf_printf(times, "%s%lld", times->len ? " " : "", (long long)table->spent_ms);
    if (table->paused) buf_add_text(times, " paused");
}

static void write_moves(const TableGame *table, Buf *out)
{
    char text[POINT_TEXT_MAX];
    for (int i = 0; i < table->game.move_count; i++)
        buf_add_text(out, point_text(&table->rules, table->game.moves[i].point, text));
}

static LibraryResult result_of(const Game *game)
{
    if (!game->over) return LIBRARY_OPEN;
    if (game->winner < 0) return LIBRARY_DRAW;
    return game->colour[game->winner] == BLACK ? LIBRARY_BLACK : LIBRARY_WHITE;
}

static void fill_row(const TableGame *table, LibraryGame *row)
{
    const Game *game = &table->game;
    *row = (LibraryGame){
        .id = table->id,
        .owner = table->owner,
        .source = table->source,
        .rules = table->rules,
        .phase = table->phase,
        .setup_side = !table->setup.count          ? ""
                      : table->setup.side == BLACK ? "b"
                                                   : "w",
        .player = {table->sides[0].player, table->sides[1].player},
        .player_name = {table->sides[0].name, table->sides[1].name},
        .swapped = game->colour[SEAT_FIRST] == WHITE,
        .clock = table->clock,
        .think_ms = table->think_ms,
        .delay_ms = table->delay_ms,
        .standing = table->act_count,
        .result = result_of(game),
        .reason = game->over ? record_reason_name(game->reason) : "",
        .name = table->name,
        .comment = table->comment,
        .tags = table->tags,
        .plies = game->move_count,
        .created = table->created,
        .changed = table->changed,
    };
}

bool table_save(TableGame *table, Library *library, Err *err)
{
    Buf setup = BUF_EMPTY, acts = BUF_EMPTY, times = BUF_EMPTY, thoughts = BUF_EMPTY,
        moves = BUF_EMPTY, ending = BUF_EMPTY;
    LibraryGame row;
    os_date_text(table->changed);
    fill_row(table, &row);
    if (table->setup.count) position_write(&table->rules, &table->setup, &setup);
    write_acts(table, &acts, &times, &thoughts);
    write_pause(table, &times);
    write_moves(table, &moves);
    if (table->ending.set)
        buf_printf(&ending, "%d %s %s", table->ending.loser,
                   record_reason_name(table->ending.reason), table->ending.detail);
    char *notes = json_dumps(table->notes, JSON_COMPACT);
    row.setup = buf_text(&setup);
    row.acts = buf_text(&acts);
    row.times = buf_text(&times);
    row.thoughts = buf_text(&thoughts);
    row.moves = buf_text(&moves);
    row.ending = buf_text(&ending);
    row.notes = notes ? notes : "{}";
    bool good = library_put(library, &row, table->keys, table->key_count, err);
    if (good) table->key_count = table->game.move_count + 1;
    free(notes);
    Buf *const all[] = {&setup, &acts, &times, &thoughts, &moves, &ending};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) buf_free(all[i]);
    return good;
}

/* ---- in ---- */

/* The next word of a list; its length. */
static size_t next_word(const char **at)
{
    *at += strspn(*at, " ");
    return strcspn(*at, " ");
}

static bool read_act(const Rules *rules, const char *word, size_t len, Thought *thought, Err *err)
{
    *thought = (Thought){0};
    if (len == 4 && memcmp(word, "swap", 4) == 0) {
        thought->decision = DECIDE_SWAP;
        return true;
    }
    const char *at = word;
    while (at < word + len) {
        if (thought->stone_count == THOUGHT_STONES_MAX)
            return err_set(err, "too many stones in one decision");
        if (!point_parse(rules, &at, &thought->stones[thought->stone_count++], err)) return false;
    }
    thought->decision = thought->stone_count == 1 ? DECIDE_MOVE : DECIDE_STONES;
    return thought->stone_count > 0 || err_set(err, "an empty decision");
}

static void read_pause(TableGame *table, const char *time)
{
    long long spent = 0;
    char word[8] = "";
    if (sscanf(time, "%lld %7s", &spent, word) < 1) return;
    table->spent_ms = spent > 0 ? spent : 0;
    table->paused = strcmp(word, "paused") == 0;
}

static bool read_acts(TableGame *table, const LibraryGame *row, Err *err)
{
    const char *act = row->acts, *time = row->times, *seen = row->thoughts;
    for (size_t n = next_word(&act); n; n = next_word(&act)) {
        Thought thought;
        if (table->game.over) return err_set(err, "it goes on after its end");
        if (!read_act(&table->rules, act, n, &thought, err)) return false;
        act += n;
        long long elapsed = 0, nodes = 0;
        double value = 0;
        int depth = 0;
        size_t time_len = next_word(&time), seen_len = next_word(&seen);
        sscanf(time, "%lld", &elapsed);
        thought.has_value = sscanf(seen, "%lf/%d/%lld", &value, &depth, &nodes) == 3;
        thought.value = value;
        thought.depth = depth;
        thought.nodes = nodes;
        time += time_len;
        seen += seen_len;
        table_act(table, &thought, elapsed);
    }
    read_pause(table, time);
    return true;
}

static void read_ending(TableGame *table, const char *text)
{
    int loser = -1, at = 0;
    char reason[20] = "";
    if (table->game.over || sscanf(text, "%d %19s %n", &loser, reason, &at) < 2) return;
    if (loser >= -1 && loser < SEAT_COUNT)
        table_end(table, loser, record_reason_parse(reason), text + at);
}

bool table_from_library(TableGame *table, const LibraryGame *row, Err *err)
{
    *table = (TableGame){.rules = row->rules,
                         .phase = row->phase < PHASE_COUNT ? row->phase : PHASE_NORMAL,
                         .clock = row->clock,
                         .think_ms = row->think_ms,
                         .delay_ms = row->delay_ms,
                         .source = mem_text(row->source),
                         .name = mem_text(row->name),
                         .comment = mem_text(row->comment),
                         .tags = mem_text(row->tags),
                         .notes = json_loads(row->notes, 0, NULL)};
    snprintf(table->id, sizeof table->id, "%s", row->id);
    snprintf(table->owner, sizeof table->owner, "%s", row->owner);
    snprintf(table->created, sizeof table->created, "%s", row->created);
    snprintf(table->changed, sizeof table->changed, "%s", row->changed);
    for (int seat = 0; seat < SEAT_COUNT; seat++) {
        table->sides[seat].player = mem_text(row->player[seat]);
        table->sides[seat].name = mem_text(row->player_name[seat]);
    }
    bool good = !*row->setup ||
                position_parse(&row->rules, row->setup, row->setup_side[0], &table->setup, err);
    good = good && table_open(table, err) && read_acts(table, row, err);
    if (good && row->standing < table->act_count && row->standing >= 0)
        table_go_to(table, row->standing);
    if (good) read_ending(table, row->ending);
    /* What the store knows of its positions is as old as itself. */
    if (good) table->key_count = table->game.move_count + 1;
    if (good) return true;
    err_prefix(err, "game %s", row->id);
    table_close(table);
    return false;
}

bool table_load(TableGame *table, const char *id, Library *library, bool *found, Err *err)
{
    LibraryGame row;
    Arena texts;
    arena_open(&texts, 4096);
    bool good = library_get(library, id, &texts, &row, found, err) &&
                (!*found || table_from_library(table, &row, err));
    arena_close(&texts);
    return good;
}
