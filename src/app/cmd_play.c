/* SPDX-License-Identifier: MIT */
/* goren play: a game on the terminal between people and players.
 *
 * Whoever's turn it is gives a move; a person may also give a command. Nothing a person types can
 * lose the game: what is not understood or not allowed is explained, and the question comes again.
 */
#include "app/cli.h"
#include "app/commands.h"
#include "app/pupil.h"
#include "app/term.h"
#include "base/os.h"
#include "game/ban.h"
#include "game/record.h"
#include "play/player.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

typedef struct {
    CliRules rules;
    const char *spec[COLOUR_COUNT];
    const char *mode, *theta, *learner;
    int delay_us;
    double seconds;
} PlayOptions;

static const Opt play_opts[] = {
    {.name = "black",
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, spec[BLACK]),
     .standard = "human",
     .value = "WHO",
     .help = "human, or a player such as ab, ab:level=3 or random:seed=7"},
    {.name = "white",
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, spec[WHITE]),
     .standard = "ab:level=3",
     .value = "WHO",
     .help = "the same for White"},
    CLI_RULES_OPTS(PlayOptions, rules),
    {.name = "time",
     .letter = 't',
     .type = OPT_FLOAT,
     .offset = offsetof(PlayOptions, seconds),
     .min = 0.001,
     .max = 1e6,
     .standard = "5",
     .value = "S",
     .help = "seconds that a player may think about a move"},
    {.name = "delay",
     .letter = 'd',
     .type = OPT_INT,
     .offset = offsetof(PlayOptions, delay_us),
     .min = 0,
     .max = 1e9,
     .standard = "0",
     .value = "USEC",
     .help = "wait so many microseconds before each move of a player"},
    {.name = "mode",
     .letter = 'm',
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, mode),
     .value = "WHO,WHO",
     .help = "human or ai (the player td) for Black and White, in place of --black and --white"},
    {.name = "dimension",
     .letter = 'D',
     .type = OPT_SIZE,
     .offset = offsetof(PlayOptions, rules.size),
     .min = 1,
     .max = SIZE_MAX_SIDE,
     .value = "W,H",
     .help = "the same as --size"},
    {.name = "wincond",
     .type = OPT_INT,
     .offset = offsetof(PlayOptions, rules.win),
     .min = WIN_MIN,
     .max = WIN_MAX,
     .value = "K",
     .help = "the same as --win"},
    {.name = "theta",
     .letter = 'p',
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, theta),
     .value = "FILE",
     .help =
         "what ai has learnt and goes on learning in: after each game it learns and is saved; a "
         "new file if there is none. Without --mode, White is ai"},
    {.name = "learner",
     .type = OPT_TEXT,
     .offset = offsetof(PlayOptions, learner),
     .standard = "td",
     .value = "KIND",
     .help = "whose file that is: a kind of goren learn with its options, like patterns:depth=4"},
    {0},
};

static const OptTable play_table = {
    .name = "goren play",
    .about = "A game on the terminal. Type a point such as h8, or help.",
    .example = "goren play --black human --white random --rule renju",
    .opts = play_opts,
};

typedef enum {
    END_NOT,
    END_ROW,
    END_FULL,
    END_STUCK, /* nothing but forbidden points is left to Black */
    END_FOUL,  /* a player played a forbidden point, or no point at all */
} End;

typedef struct {
    Term term;
    Board *board;
    Player *player[COLOUR_COUNT]; /* owned; NULL: a person, or the pupil */
    bool taught[COLOUR_COUNT];    /* the pupil plays it */
    Pupil pupil;
    bool learnt; /* the pupil has had this game */
    const char *spec[COLOUR_COUNT];
    Limits limits;
    int delay_us;
    End end;
    Colour winner; /* for END_ROW and END_FOUL */
    bool quit;
} Session;

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
        fprintf(s->term.out, "%s has learnt from %lld games.\n", s->pupil.path,
                (long long)s->pupil.learner->games);
    else
        fprintf(s->term.out, "Nothing was learnt: %s\n", err.text);
}

/* ---- the game ---- */

static void run_game(Session *s)
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

/* "human,ai": the two sides as the document of the TD(λ) game writes them; ai is the pupil if there
 * is a file for it, otherwise the player td. */
static bool apply_mode(Session *s, const PlayOptions *options, Err *err)
{
    const char *ai = options->theta ? options->learner : "td";
    if (options->theta && !options->mode) {
        s->spec[WHITE] = ai;
        s->taught[WHITE] = true;
    }
    if (!options->mode) return true;
    const char *word = options->mode;
    for (int c = BLACK; c <= WHITE; c++) {
        size_t len = strcspn(word, ",");
        bool is_ai = len == 2 && strncmp(word, "ai", 2) == 0;
        bool is_person = len == 5 && strncmp(word, "human", 5) == 0;
        bool last = word[len] == '\0';
        if ((!is_ai && !is_person) || last != (c == WHITE))
            return err_set(err, "mode=%s: write human or ai for both sides, like human,ai",
                           options->mode);
        s->spec[c] = is_ai ? ai : "human";
        s->taught[c] = is_ai && options->theta;
        word += len + 1;
    }
    return true;
}

static bool open_players(Session *s, const PlayOptions *options, const Rules *rules, Err *err)
{
    for (int c = BLACK; c <= WHITE; c++) {
        if (s->taught[c] || strcmp(s->spec[c], "human") == 0) continue;
        s->player[c] = player_open(s->spec[c], err);
        if (!s->player[c]) return err_prefix(err, "%s", c == BLACK ? "--black" : "--white");
    }
    if (!s->taught[BLACK] && !s->taught[WHITE]) return true;
    return pupil_open(&s->pupil, options->learner, options->theta, rules, err);
}

int cmd_play(int argc, char **argv)
{
    PlayOptions options = {0};
    int code = 0;
    if (!cli_parse(&play_table, &argc, argv, &options, &code)) return code;
    Err err;
    Rules rules;
    Session s = {
        .spec = {options.spec[BLACK], options.spec[WHITE]},
        .limits = {.turn_ms = (int64_t)(options.seconds * 1000)},
        .delay_us = options.delay_us,
    };
    term_init(&s.term, stdin, stdout);
    if (apply_mode(&s, &options, &err) && cli_rules(&options.rules, &rules, &err) &&
        open_players(&s, &options, &rules, &err)) {
        s.board = board_open(&rules, NEAR_ALL);
        run_game(&s);
        board_close(s.board);
    } else {
        code = cli_fail(&play_table, &err);
    }
    for (int c = BLACK; c <= WHITE; c++) player_close(s.player[c]);
    pupil_close(&s.pupil);
    return code;
}
