/* SPDX-License-Identifier: MIT */
/* What the commands share: see cli.h. */
#include "app/cli.h"

#include "base/os.h"
#include "base/utf8.h"
#include "game/ban.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cli_parse(const OptTable *table, int *argc, char **argv, void *options, int *code)
{
    Err err = {0};
    switch (opts_parse_args(table, argc, argv, options, &err)) {
    case OPTS_OK:
        return true;
    case OPTS_HELP: {
        Buf help = BUF_EMPTY;
        opts_help(table, &help);
        fputs(buf_text(&help), stdout);
        buf_free(&help);
        *code = 0;
        return false;
    }
    case OPTS_BAD:
        break;
    }
    *code = cli_fail(table, &err);
    return false;
}

int cli_fail(const OptTable *table, const Err *err)
{
    fprintf(stderr, "%s: %s\n", table->name, err->text);
    return 2;
}

bool cli_files_apart(const CliFile *files, Err *err)
{
    for (const CliFile *file = files; file->option; file++) {
        if (!file->written || !file->path) continue;
        for (const CliFile *other = files; other->option; other++)
            if (other != file && other->path && os_file_is_same(file->path, other->path))
                return err_set(
                    err, "%s and %s are one file, %s, and one would spoil the other; name another",
                    file->option, other->option, file->path);
    }
    return true;
}

int cli_interrupted(const OptTable *table, int64_t done, int64_t all, const char *unit, bool kept)
{
    fprintf(stderr, "%s: interrupted after %lld of %lld %s%s\n", table->name, (long long)done,
            (long long)all, unit, kept ? "; the same command goes on from there" : "");
    return 1;
}

bool cli_rules(const CliRules *cli, Rules *rules, Err *err)
{
    RuleKind kind;
    if (!rule_parse(cli->rule, &kind, err)) return false;
    if (!rules_check(cli->size.width, cli->size.height, cli->win, err)) return false;
    rules_init(rules, kind, cli->size.width, cli->size.height, cli->win);
    return true;
}

bool cli_net_fits(const char *eval, const char *net, Err *err)
{
    return !net || !*net || strcmp(eval, "shape") != 0 ||
           err_set(err, "--eval shape reads no network; leave out --net, or say --eval net");
}

static bool is_dash(const char *path)
{
    return strcmp(path, "-") == 0;
}

static bool read_stdin(size_t limit, Buf *out, Err *err)
{
    char chunk[1 << 14];
    size_t start = out->len, n;
    while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0) {
        buf_add(out, chunk, n);
        if (out->len - start > limit) return err_set(err, "stdin: longer than %zu bytes", limit);
    }
    return !ferror(stdin) || err_set(err, "stdin: cannot read it");
}

bool cli_file(const char *path, size_t limit, Buf *out, Err *err)
{
    return is_dash(path) ? read_stdin(limit, out, err) : os_file_read(path, limit, out, err);
}

const char *cli_file_name(const char *path)
{
    return is_dash(path) ? "stdin" : path;
}

static bool parse_side(const char *side, char *turn, Err *err)
{
    *turn = side ? side[0] : 0;
    if (!side || strcmp(side, "b") == 0 || strcmp(side, "w") == 0 || strcmp(side, "?") == 0)
        return true;
    return err_set(err, "side=%s: choose one of b|w", side);
}

bool cli_position(const Rules *rules, const char *text, const char *side, Position *position,
                  Err *err)
{
    char turn;
    if (!parse_side(side, &turn, err)) return false;
    if (!is_dash(text)) return position_parse(rules, text, turn, position, err);
    enum { LIMIT = 1 << 20 }; /* that no position reaches */
    Buf in = BUF_EMPTY;
    bool good = read_stdin(LIMIT, &in, err);
    const char *stones = buf_text(&in) + utf8_mark(buf_text(&in), in.len);
    if (good && strlen(buf_text(&in)) != in.len) good = err_set(err, "stdin: holds a zero byte");
    good = good && position_parse(rules, stones, turn, position, err);
    buf_free(&in);
    return good;
}

Board *cli_board(const Rules *rules, const Position *position, Near near)
{
    Board *board = board_open(rules, near);
    for (int i = 0; i < position->count; i++) {
        if (position->ordered) {
            board_play(board, position->stones[i]);
        } else {
            board_put(board, position->stones[i], position->colours[i]);
        }
    }
    board_set_side(board, position->side);
    return board;
}

bool cli_last_is_allowed(const Board *board, const Position *position, Err *err)
{
    Ban ban = position->ordered ? ban_of_last(board) : BAN_NONE;
    return ban == BAN_NONE ||
           err_set(err, "the game is over: White has won, Black's last move is forbidden (%s)",
                   ban_name(ban));
}

bool cli_game_goes_on(const Board *board, Err *err)
{
    Cell winner = board_scan_winner(board);
    if (winner != CELL_EMPTY)
        return err_set(err, "the game is over: %s has won",
                       winner == CELL_BLACK ? "Black" : "White");
    return !board_is_full(board) || err_set(err, "the game is over: the board is full");
}

bool cli_suite(const Rules *rules, const char *path, const char *side, RecordSet *set, Err *err)
{
    enum { SUITE_BYTES_MAX = 256 << 20 };
    RecordHints hints = {true, true, true, rules->kind, rules->width, rules->height, rules->k, 0};
    Buf bytes = BUF_EMPTY;
    bool good =
        parse_side(side, &hints.side, err) && cli_file(path, SUITE_BYTES_MAX, &bytes, err) &&
        record_read(FORMAT_TSV, buf_text(&bytes), bytes.len, cli_file_name(path), &hints, set, err);
    buf_free(&bytes);
    return good;
}

bool cli_openings(const char *path, const Rules *rules, Openings *openings, Err *err)
{
    Buf bytes = BUF_EMPTY;
    bool good =
        cli_file(path, OPENINGS_BYTES_MAX, &bytes, err) &&
        openings_parse(buf_text(&bytes), bytes.len, cli_file_name(path), rules, openings, err);
    buf_free(&bytes);
    return good;
}

void cli_json(json_t *object)
{
    json_dumpf(object, stdout, JSON_COMPACT);
    putchar('\n');
    fflush(stdout);
    json_decref(object);
}

bool cli_sizes(const char *text, int *sizes, int most, int *count, Err *err)
{
    *count = 0;
    for (const char *at = text; *count < most;) {
        char *end;
        long n = strtol(at, &end, 10);
        if (end == at || n < 5 || n > SIZE_MAX_SIDE || (*end && *end != ',')) break;
        sizes[(*count)++] = (int)n;
        if (!*end) return true;
        at = end + 1;
    }
    return err_set(err, "--sizes \"%s\" is not a list of at most %d sizes from 5 to %d, as 15,20",
                   text, most, SIZE_MAX_SIDE);
}
