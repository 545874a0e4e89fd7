/* SPDX-License-Identifier: MIT */
/* goren convert: game records from one format into another. */
#include "app/cli.h"
#include "app/commands.h"
#include "base/os.h"
#include "game/record.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    const char *from, *to;
    CliRules rules; /* rule NULL, size 0x0, win 0: not given */
} ConvertOptions;

static const Opt convert_opts[] = {
    {.name = "from",
     .type = OPT_TEXT,
     .offset = offsetof(ConvertOptions, from),
     .value = "FORMAT",
     .help = "psq, rec, sgf, pos, tsv, rif (or xml) or lib; else what the name of IN says"},
    {.name = "to",
     .type = OPT_TEXT,
     .offset = offsetof(ConvertOptions, to),
     .value = "FORMAT",
     .help = "the same for OUT; lib can only be read"},
    {.name = "rule",
     .type = OPT_TEXT,
     .offset = offsetof(ConvertOptions, rules.rule),
     .value = "RULE",
     .help = "freestyle, standard, renju, caro or caro6, where IN does not say"},
    {.name = "size",
     .type = OPT_SIZE,
     .offset = offsetof(ConvertOptions, rules.size),
     .min = 1,
     .max = SIZE_MAX_SIDE,
     .value = "N|WxH",
     .help = "the board, where IN does not say (pos and tsv: 15, rec: 20)"},
    {.name = "win",
     .letter = 'w',
     .type = OPT_INT,
     .offset = offsetof(ConvertOptions, rules.win),
     .min = WIN_MIN,
     .max = WIN_MAX,
     .value = "K",
     .help = "stones in a row that win, where IN does not say (5)"},
    {0},
};

static const OptTable convert_table = {
    .name = "goren convert",
    .args = "IN OUT",
    .args_min = 2,
    .args_max = 2,
    .about = "Reads the games in IN and writes them to OUT, in the formats that the names or the "
             "options say; - is stdin or stdout. On an error OUT stays as it is. What OUT has no "
             "room for is named on stderr. Variations and what is drawn on the board go where the "
             "format has them (sgf); the others get the main line. pos counts rows from below; "
             "files of openings count them from the upper edge: one read as the other is "
             "mirrored.",
    .example = "goren convert game.psq game.sgf",
    .opts = convert_opts,
};

enum { INPUT_MAX = 256 << 20 };

static bool is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool find_format(const char *option, const char *path, const char *flag,
                        RecordFormat *format, Err *err)
{
    if (option) return record_format_parse(option, format, err) || err_prefix(err, "%s", flag);
    if (is_dash(path)) return err_set(err, "- has no name that says the format: give %s", flag);
    return record_format_from_name(path, format, err);
}

static bool find_hints(const CliRules *rules, RecordHints *hints, Err *err)
{
    *hints = (RecordHints){.kind_given = rules->rule != NULL,
                           .size_given = rules->size.width != 0,
                           .k_given = rules->win != 0,
                           .width = rules->size.width,
                           .height = rules->size.height,
                           .k = rules->win};
    return !rules->rule || rule_parse(rules->rule, &hints->kind, err);
}

static bool read_games(const char *path, RecordFormat format, const RecordHints *hints,
                       RecordSet *set, Err *err)
{
    Buf bytes = BUF_EMPTY;
    bool good =
        cli_file(path, INPUT_MAX, &bytes, err) &&
        record_read(format, buf_text(&bytes), bytes.len, cli_file_name(path), hints, set, err);
    buf_free(&bytes);
    return good;
}

static int count_comments(const Record *record)
{
    int count = 0;
    for (int n = 0; n >= 0; n = record->nodes[n].first_child)
        count += record->nodes[n].comment[0] != '\0';
    return count;
}

static int count_signs(const Record *record)
{
    int count = 0;
    for (int n = 0; n >= 0; n = record->nodes[n].first_child)
        for (const RecordSign *sign = NULL; (sign = record_next_sign(&record->nodes[n], sign));)
            count++;
    return count;
}

static void note_no_room(long count, const char *one, const char *more, RecordFormat format)
{
    if (count > 0)
        fprintf(stderr, "%s: %ld %s left out: %s has no room for that\n", convert_table.name, count,
                count == 1 ? one : more, record_format_name(format));
}

static void note_unsaid(const char *what, const char *value, RecordFormat format)
{
    fprintf(stderr, "%s: the %s (%s) left out: %s does not say it\n", convert_table.name, what,
            value, record_format_name(format));
}

/* What games had and do not have any more. */
typedef struct {
    long results, reasons, times;
    long players, names, events, sites, dates, rounds, openings;
} Lost;

static int count_times(const Record *record)
{
    int count = 0;
    for (int n = 0; n >= 0; n = record->nodes[n].first_child)
        count += record->nodes[n].elapsed_ms > 0;
    return count;
}

static void count_lost(const Record *game, const Record *got, Lost *lost)
{
    int times = count_times(game) - count_times(got);
    bool same = got->result == game->result;
    lost->results += game->result != RECORD_UNKNOWN && !same;
    lost->reasons += game->reason != REASON_UNKNOWN && same && got->reason != game->reason;
    lost->times += times > 0 ? times : 0;
    for (int c = BLACK; c < COLOUR_COUNT; c++)
        lost->players += *game->player[c] && !*got->player[c];
    lost->names += *game->name && !*got->name;
    lost->events += *game->event && !*got->event;
    lost->sites += *game->site && !*got->site;
    lost->dates += *game->date && !*got->date;
    lost->rounds += *game->round && !*got->round;
    lost->openings += *game->opening && !*got->opening;
}

static void note_lost(const Lost *lost, RecordFormat format)
{
    note_no_room(lost->results, "result", "results", format);
    note_no_room(lost->reasons, "reason of a result", "reasons of results", format);
    note_no_room(lost->times, "time of a move", "times of moves", format);
    note_no_room(lost->players, "player's name", "players' names", format);
    note_no_room(lost->names, "name of a game", "names of games", format);
    note_no_room(lost->events, "event", "events", format);
    note_no_room(lost->sites, "site", "sites", format);
    note_no_room(lost->dates, "date", "dates", format);
    note_no_room(lost->rounds, "round", "rounds", format);
    note_no_room(lost->openings, "name of an opening phase", "names of opening phases", format);
}

/* What was said to be left out: once, whatever the number of games. */
typedef struct {
    bool size, kind, k;
} Unsaid;

/* got: NULL if nobody can know them. */
static void note_rules(const Rules *rules, const Rules *got, RecordFormat format, Unsaid *said)
{
    char text[32];
    snprintf(text, sizeof text, "%dx%d", rules->width, rules->height);
    if (!said->size && (!got || rules->width != got->width || rules->height != got->height))
        note_unsaid("board", text, format), said->size = true;
    if (!said->kind && rules->kind != (got ? got->kind : RULE_FREESTYLE))
        note_unsaid("rule", rule_name(rules->kind), format), said->kind = true;
    snprintf(text, sizeof text, "%d", rules->k);
    if (!said->k && rules->k != (got ? got->k : 5))
        note_unsaid("number in a row", text, format), said->k = true;
}

/* What whoever reads OUT will not find there, by reading it. */
static void note_losses(const RecordSet *set, RecordFormat format, const Buf *bytes)
{
    RecordSet back, none;
    Lost lost = {0};
    Unsaid said = {false, false, false};
    long comments = 0, signs = 0;
    const Rules *first = &set->records[0].rules;
    RecordHints hints = {.size_given = true,
                         .k_given = true,
                         .width = first->width,
                         .height = first->height,
                         .k = first->k};
    record_set_open(&none);
    const Record *nothing = record_set_add(&none, first);
    /* If stones are off the board that is usual for the format, its size is left out, no more. */
    bool usual = record_read(format, buf_text(bytes), bytes->len, "", NULL, &back, NULL);
    bool read = usual || record_read(format, buf_text(bytes), bytes->len, "", &hints, &back, NULL);
    for (int i = 0; i < set->count; i++) {
        const Record *game = &set->records[i];
        const Record *got = read && i < back.count ? &back.records[i] : nothing;
        note_rules(&game->rules, usual && got != nothing ? &got->rules : NULL, format, &said);
        count_lost(game, got, &lost);
        comments += count_comments(game) - count_comments(got);
        signs += count_signs(game) - count_signs(got);
    }
    note_lost(&lost, format);
    note_no_room(comments, "comment", "comments", format);
    note_no_room(signs, "mark on the board", "marks on the board", format);
    record_set_close(&none);
    if (read) record_set_close(&back);
}

static bool write_games(const char *path, RecordFormat format, const RecordSet *set, Err *err)
{
    Buf bytes = BUF_EMPTY;
    bool good = record_write(format, set, &bytes, err) || err_prefix(err, "%s", path);
    if (good && is_dash(path))
        fwrite(buf_text(&bytes), 1, bytes.len, stdout); /* main sees to errors of stdout */
    else if (good)
        good = os_file_replace(path, buf_text(&bytes), bytes.len, err);
    if (good) note_losses(set, format, &bytes);
    buf_free(&bytes);
    return good;
}

static void note_variations(const RecordSet *set, RecordFormat format)
{
    long left_out = 0;
    if (record_format_has_variations(format)) return;
    for (int i = 0; i < set->count; i++) left_out += record_variations(&set->records[i]);
    if (left_out)
        fprintf(stderr, "%s: %ld %s in variations left out: %s holds the main line only\n",
                convert_table.name, left_out, left_out == 1 ? "move" : "moves",
                record_format_name(format));
}

static bool convert(const ConvertOptions *options, const char *in, const char *out, Err *err)
{
    RecordFormat from, to;
    RecordHints hints;
    RecordSet set;
    if (!find_format(options->from, in, "--from", &from, err) ||
        !find_format(options->to, out, "--to", &to, err) ||
        !find_hints(&options->rules, &hints, err) || !read_games(in, from, &hints, &set, err))
        return false;
    bool good = set.count > 0 || err_set(err, "%s: the file holds no game", cli_file_name(in));
    good = good && write_games(out, to, &set, err);
    if (good) note_variations(&set, to);
    record_set_close(&set);
    return good;
}

int cmd_convert(int argc, char **argv)
{
    ConvertOptions options = {0};
    Err err;
    int code;
    if (!cli_parse(&convert_table, &argc, argv, &options, &code)) return code;
    return convert(&options, argv[0], argv[1], &err) ? 0 : cli_fail(&convert_table, &err);
}
