/* SPDX-License-Identifier: MIT */
#include "app/session.h"

#include "base/buf.h"
#include "base/os.h"
#include "game/ban.h"
#include "game/notation.h"
#include "game/record.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char *colour_name(Colour colour)
{
    return colour == BLACK ? "Black" : "White";
}

static bool is_human(const Session *s, Colour colour)
{
    return !s->player[colour] && !s->taught[colour];
}

static bool is_stuck(const Board *board)
{
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        if (ban_allows(board, rules_nth(&board->rules, i), board->side)) return false;
    }
    return true;
}

static void judge(Session *s)
{
    const Board *board = s->board;
    s->end = END_NOT;
    if (board->won != CELL_EMPTY) {
        s->end = END_ROW;
        s->winner = (Colour)(board->won - CELL_BLACK);
    } else if (board_is_full(board)) {
        s->end = END_FULL;
    } else if (is_stuck(board)) {
        s->end = END_STUCK;
    }
}

static void announce(const Session *s)
{
    FILE *out = s->term.out;
    char text[POINT_TEXT_MAX];
    term_draw(&s->term, s->board);
    if (s->end == END_ROW) {
        Point row[SIZE_MAX_SIDE];
        int n = board_winning_row(s->board, board_last_point(s->board), row);
        fprintf(out, "%s wins:", colour_name(s->winner));
        for (int i = 0; i < n; i++) {
            fprintf(out, " %s", point_text(&s->board->rules, row[i], text));
        }
        fputc('\n', out);
    } else if (s->end == END_FULL) {
        fprintf(out, "A draw: the board is full.\n");
    } else if (s->end == END_STUCK) {
        fprintf(out, "A draw: %s has only forbidden points left.\n", colour_name(s->board->side));
    } else if (s->end == END_FOUL) {
        fprintf(out, "%s wins by the other side's fault.\n", colour_name(s->winner));
    }
    fflush(out);
}

static void play_point(Session *s, Point p)
{
    board_play(s->board, p);
    judge(s);
}

/* ---- people ---- */

/* Why p may not be played, or NULL. */
static const char *refusal(const Board *board, Point p)
{
    if (!board_is_empty(board, p)) return "is taken";
    if (ban_allows(board, p, board->side)) return NULL;
    switch (ban_at(board, p)) {
    case BAN_DOUBLE_THREE:
        return "is forbidden to Black: a double three";
    case BAN_DOUBLE_FOUR:
        return "is forbidden to Black: a double four";
    case BAN_OVERLINE:
        return "is forbidden to Black: an overline";
    default:
        return "is forbidden to Black";
    }
}

static void human_point(Session *s, const char *text)
{
    FILE *out = s->term.out;
    Err err;
    Point p;
    if (s->end != END_NOT) {
        fprintf(out, "The game is over; undo, new, save FILE or quit.\n");
    } else if (!point_parse(&s->board->rules, &text, &p, &err)) {
        fprintf(out, "%s; help lists what can be typed.\n", err.text);
    } else if (*text) {
        fprintf(out, "One point at a time, please: \"%s\" is left over.\n", text);
    } else {
        const char *why = refusal(s->board, p);
        char name[POINT_TEXT_MAX];
        if (why) fprintf(out, "%s %s.\n", point_text(&s->board->rules, p, name), why);
        if (!why) play_point(s, p);
    }
}

/* Back to where the person who undoes can choose again. */
static void do_undo(Session *s, const char *args)
{
    (void)args;
    Board *board = s->board;
    int back = 1;
    Colour mover = colour_other(board->side);
    if (!is_human(s, mover)) back = 2;
    if (board->plies < back) {
        fprintf(s->term.out, "There is nothing to take back.\n");
        return;
    }
    while (back-- > 0) board_undo(board);
    judge(s);
}

static void do_new(Session *s, const char *args)
{
    (void)args;
    board_reset(s->board);
    s->learnt = false;
    judge(s);
}

static void fill_record(const Session *s, RecordSet *set)
{
    Record *record = record_set_add(set, &s->board->rules);
    char date[OS_DATE_MAX];
    record->date = record_text(set, os_date_text(date), strlen("2000-01-01"));
    for (int c = BLACK; c <= WHITE; c++) {
        record->player[c] = record_text(set, s->spec[c], strlen(s->spec[c]));
    }
    Board *board = board_clone(s->board);
    Point moves[SIZE_MAX_SIDE * SIZE_MAX_SIDE];
    int count = board->plies, node = 0;
    for (int i = count - 1; i >= 0; i--) {
        moves[i] = board_last_point(board);
        board_undo(board);
    }
    board_close(board);
    for (int i = 0; i < count; i++) {
        node = record_add_move(set, record, node, moves[i], i % 2 ? WHITE : BLACK);
    }
    static const RecordReason reasons[] = {REASON_UNKNOWN, REASON_FIVE, REASON_FULL, REASON_FULL,
                                           REASON_FOUL};
    record->reason = reasons[s->end];
    if (s->end == END_FULL || s->end == END_STUCK) record->result = RECORD_DRAW;
    if (s->end == END_ROW || s->end == END_FOUL) {
        record->result = s->winner == BLACK ? RECORD_BLACK_WON : RECORD_WHITE_WON;
    }
}

static void do_save(Session *s, const char *path)
{
    FILE *out = s->term.out;
    Err err;
    RecordFormat format;
    if (!*path) {
        fprintf(out, "Save to which file? For instance: save game.psq\n");
        return;
    }
    Buf bytes = BUF_EMPTY;
    RecordSet set;
    record_set_open(&set);
    fill_record(s, &set);
    bool good = record_format_from_name(path, &format, &err) &&
                record_write(format, &set, &bytes, &err) &&
                os_file_replace(path, buf_text(&bytes), bytes.len, &err);
    if (good) fprintf(out, "Saved %d moves to %s\n", s->board->plies, path);
    if (!good) fprintf(out, "Not saved: %s\n", err.text);
    record_set_close(&set);
    buf_free(&bytes);
}

static void do_quit(Session *s, const char *args)
{
    (void)args;
    s->quit = true;
}

static void do_help(Session *s, const char *args);

static const struct {
    const char *name, *help;
    void (*run)(Session *s, const char *args);
} words[] = {
    {"undo", "take back your last move", do_undo},
    {"new", "start again", do_new},
    {"save", "save FILE: the game so far; the name's end (.psq .sgf …) says how", do_save},
    {"help", "this list", do_help},
    {"quit", "leave", do_quit},
};

static void do_help(Session *s, const char *args)
{
    (void)args;
    FILE *out = s->term.out;
    fprintf(out, "  %-6s %s\n", "h8", "play there: column, then row");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        fprintf(out, "  %-6s %s\n", words[i].name, words[i].help);
    }
    fprintf(out, "On the board: X Black, O White, () the last move, * the winning row%s.\n",
            s->board->rules.side[BLACK].fouls ? ", ! forbidden to Black" : "");
}

/* Runs a command if the line begins with one. */
static bool human_word(Session *s, const char *line)
{
    size_t len = 0;
    while (isalpha((unsigned char)line[len])) len++;
    if (line[len] && !isspace((unsigned char)line[len])) return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].name) != len || strncmp(words[i].name, line, len) != 0) continue;
        const char *args = line + len;
        while (isspace((unsigned char)*args)) args++;
        words[i].run(s, args);
        return true;
    }
    return false;
}

static void human_turn(Session *s, Buf *line)
{
    const char *prompt = s->end != END_NOT         ? "game over> "
                         : s->board->side == BLACK ? "Black (X)> "
                                                   : "White (O)> ";
    if (!term_read(&s->term, prompt, line)) {
        if (s->term.interactive) fputc('\n', s->term.out);
        s->quit = true;
    } else if (line->len > 0 && !human_word(s, line->data)) {
        human_point(s, line->data);
    }
}

/* ---- players ---- */

static void player_turn(Session *s)
{
    Colour colour = s->board->side;
    FILE *out = s->term.out;
    Thought thought;
    Err err;
    char text[POINT_TEXT_MAX];
    os_sleep_ms((s->delay_us + 999) / 1000);
    Player *player = s->taught[colour] ? s->pupil.player : s->player[colour];
    bool good = player_think(player, s->board, &s->limits, &thought, &err);
    Point p = good && thought.decision == DECIDE_MOVE ? thought.stones[0] : POINT_NONE;
    if (p != POINT_NONE && ban_allows(s->board, p, colour)) {
        fprintf(out, "%s (%s) plays %s\n", colour_name(colour), s->spec[colour],
                point_text(&s->board->rules, p, text));
        play_point(s, p);
        return;
    }
    if (good) err_set(&err, "it wants to play %s", point_text(&s->board->rules, p, text));
    fprintf(out, "%s (%s) gave no legal move: %s\n", colour_name(colour), s->spec[colour],
            err.text);
    s->end = END_FOUL;
    s->winner = colour_other(colour);
}

/* Once a game, however often its end is taken back. */
static void teach(Session *s)
{
    Err err;
    const char *rival[COLOUR_COUNT];
    if (!s->pupil.learner || s->learnt || s->end == END_FOUL) return;
    for (int c = BLACK; c <= WHITE; c++) rival[c] = s->taught[c] ? NULL : s->spec[c];
    s->learnt = true;
    if (pupil_learn(&s->pupil, s->board, rival, &err))
        fprintf(s->term.out, "%s has learnt from %lld game%s.\n", s->pupil.path,
                (long long)s->pupil.learner->games, s->pupil.learner->games == 1 ? "" : "s");
    else
        fprintf(s->term.out, "Nothing was learnt: %s\n", err.text);
}

/* ---- the game ---- */

void session_run(Session *s)
{
    bool people = is_human(s, BLACK) || is_human(s, WHITE);
    bool watched = !people && s->term.colour;
    Buf line = BUF_EMPTY;
    int drawn = -1;          /* plies on the board that was drawn last */
    End announced = END_NOT; /* how the game ended when that was last said */
    judge(s);
    while (!s->quit) {
        bool news = s->board->plies != drawn;
        if (s->end != END_NOT && (news || announced != s->end)) {
            announce(s);
            teach(s);
            drawn = s->board->plies;
        } else if (news && s->end == END_NOT && (watched || is_human(s, s->board->side))) {
            term_draw(&s->term, s->board);
            drawn = s->board->plies;
        }
        announced = s->end;
        if (s->end != END_NOT && !people) break;
        if (s->end != END_NOT || is_human(s, s->board->side)) {
            human_turn(s, &line);
        } else {
            player_turn(s);
        }
    }
    buf_free(&line);
}
