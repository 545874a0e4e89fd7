/* SPDX-License-Identifier: MIT */
/* goren show: a position, drawn; who has won, what is forbidden, what each side threatens. */
#include "app/cli.h"
#include "app/commands.h"
#include "app/term.h"
#include "base/mem.h"
#include "base/os.h"
#include "game/ban.h"
#include "game/record.h"

#include <stdio.h>
#include <string.h>

typedef struct {
    CliRules rules;
    const char *side, *suite;
    bool shapes, json;
} ShowOptions;

static const Opt show_opts[] = {
    CLI_RULES_OPTS(ShowOptions, rules),
    CLI_SIDE_OPT(ShowOptions, side),
    {.name = "shapes",
     .type = OPT_BOOL,
     .offset = offsetof(ShowOptions, shapes),
     .help =
         "draw each side's full pattern of every point: A five, B open or double four, C four and "
         "open three, D E F fours, G double open three, H I J open threes, K L threes, M N twos"},
    {.name = "suite",
     .type = OPT_TEXT,
     .offset = offsetof(ShowOptions, suite),
     .value = "FILE.tsv",
     .help = "show every row of a suite; - is stdin"},
    {.name = "json",
     .type = OPT_BOOL,
     .offset = offsetof(ShowOptions, json),
     .help = "one JSON object per position"},
    {0},
};

static const OptTable show_table = {
    .name = "goren show",
    .args = "[POSITION]",
    .args_min = 0,
    .args_max = 1,
    .about = "Draws a position (moves such as h8i9g7, stones such as b:h8g7/w:i9, or - for stdin): "
             "last move in ( ), forbidden points as !, and what each side could make.",
    .example = "goren show --rule renju h8i9h10i11f8e7g7",
    .opts = show_opts,
};

enum { POINTS_MAX = SIZE_MAX_SIDE * SIZE_MAX_SIDE };

static const char *winner_text(Cell winner)
{
    return winner == CELL_BLACK ? "b" : winner == CELL_WHITE ? "w" : NULL;
}

/* Played games are won move by move; stones that were set up, as they stand. */
static Cell winner_of(const Board *board, bool ordered)
{
    if (ordered && ban_of_last(board) != BAN_NONE) return CELL_WHITE;
    return ordered ? board->won : board_scan_winner(board);
}

static json_t *forbidden_json(const Board *board)
{
    static Point points[POINTS_MAX];
    json_t *list = json_array();
    int n = ban_list(board, points);
    for (int i = 0; i < n; i++) {
        char text[POINT_TEXT_MAX];
        json_array_append_new(list, json_string(point_text(&board->rules, points[i], text)));
    }
    return list;
}

static const struct {
    Class from, to;
    const char *name;
} threat_kinds[] = {
    {CLASS_FIVE, CLASS_FIVE, "five"},
    {CLASS_OPEN_FOUR, CLASS_OPEN_FOUR, "open four"},
    {CLASS_DOUBLE_FOUR, CLASS_DOUBLE_FOUR, "double four"},
    {CLASS_FOUR_OPEN_THREE, CLASS_FOUR_OPEN_THREE, "four and open three"},
    {CLASS_FOUR, CLASS_FOUR_THREE, "four"},
    {CLASS_DOUBLE_OPEN_THREE, CLASS_DOUBLE_OPEN_THREE, "double open three"},
    {CLASS_OPEN_THREE, CLASS_OPEN_THREE_THREE, "open three"},
};
enum { THREAT_KINDS = sizeof threat_kinds / sizeof *threat_kinds };

/* What the point is worth to the colour, seen through a foul that is none. */
static Class class_seen(const Board *board, Point p, Colour colour)
{
    Class class = board_class(board, p, colour);
    if (class != CLASS_FOUL || ban_at(board, p) != BAN_NONE) return class;
    return line_class(board->code[p] >> 16 * colour & 0xffff, false);
}

static int threat_points(const Board *board, Colour colour, int kind, Point *points)
{
    int n = 0;
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        Class class = class_seen(board, p, colour);
        if (class >= threat_kinds[kind].from && class <= threat_kinds[kind].to) points[n++] = p;
    }
    return n;
}

/* {"five": ["h8"], …}: the points where the colour makes a four or more, or an open three. */
static json_t *threats_json(const Board *board, Colour colour)
{
    static Point points[POINTS_MAX];
    json_t *threats = json_object();
    for (int kind = 0; kind < THREAT_KINDS; kind++) {
        int n = threat_points(board, colour, kind, points);
        if (!n) continue;
        json_t *list = json_array();
        char text[POINT_TEXT_MAX];
        for (int i = 0; i < n; i++)
            json_array_append_new(list, json_string(point_text(&board->rules, points[i], text)));
        json_object_set_new(threats, threat_kinds[kind].name, list);
    }
    return threats;
}

/* {"h8": "A", …}: the letter of every point that is anything to the colour. */
static json_t *letters_json(const Board *board, Colour colour)
{
    json_t *letters = json_object();
    for (int i = 0; i < board->rules.width * board->rules.height; i++) {
        Point p = rules_nth(&board->rules, i);
        char text[POINT_TEXT_MAX], letter[2] = {class_letter(class_seen(board, p, colour)), 0};
        if (board_is_empty(board, p) && *letter != '.')
            json_object_set_new(letters, point_text(&board->rules, p, text), json_string(letter));
    }
    return letters;
}

static void show_json(const Board *board, bool ordered, bool shapes, const char *id)
{
    const char *winner = winner_text(winner_of(board, ordered));
    json_t *out = json_object();
    if (id) json_object_set_new(out, "id", json_string(id));
    json_object_set_new(out, "winner", winner ? json_string(winner) : json_null());
    json_object_set_new(out, "forbidden", forbidden_json(board));
    json_object_set_new(out, "side", json_string(board->side == BLACK ? "b" : "w"));
    json_object_set_new(out, "black", threats_json(board, BLACK));
    json_object_set_new(out, "white", threats_json(board, WHITE));
    if (shapes) {
        json_object_set_new(out, "black_letters", letters_json(board, BLACK));
        json_object_set_new(out, "white_letters", letters_json(board, WHITE));
    }
    cli_json(out);
}

static void print_forbidden(const Board *board)
{
    static Point points[POINTS_MAX];
    char text[POINT_TEXT_MAX];
    int n = ban_list(board, points);
    if (n) printf("forbidden to Black:");
    for (int i = 0; i < n; i++)
        printf(" %s (%s)", point_text(&board->rules, points[i], text),
               ban_name(ban_at(board, points[i])));
    if (n) printf("\n");
}

static void print_threats(const Board *board, Colour colour)
{
    static Point points[POINTS_MAX];
    char text[POINT_TEXT_MAX];
    for (int kind = 0; kind < THREAT_KINDS; kind++) {
        int n = threat_points(board, colour, kind, points);
        if (!n) continue;
        printf("%s can make %s:", colour == BLACK ? "Black" : "White", threat_kinds[kind].name);
        for (int i = 0; i < n; i++) printf(" %s", point_text(&board->rules, points[i], text));
        printf("\n");
    }
}

static void print_shapes(const Board *board, Colour colour)
{
    const Rules *rules = &board->rules;
    printf("\n%s's full patterns (A strongest):\n", colour == BLACK ? "Black" : "White");
    for (int y = 0; y < rules->height; y++) {
        printf("%3d", rules->height - y);
        for (int x = 0; x < rules->width; x++) {
            Point p = rules_point(rules, x, y);
            Cell cell = board->cell[p];
            char glyph = cell == CELL_BLACK   ? 'X'
                         : cell == CELL_WHITE ? 'O'
                                              : class_letter(class_seen(board, p, colour));
            /* Lower case for patterns: X and O stay stones. */
            if (cell == CELL_EMPTY && glyph >= 'A') glyph = (char)(glyph - 'A' + 'a');
            printf("%*c", rules->width > 26 ? 3 : 2, glyph);
        }
        printf("\n");
    }
    printf("   ");
    for (int x = 0; x < rules->width; x++) {
        char text[POINT_TEXT_MAX];
        printf("%*s", rules->width > 26 ? 3 : 2, point_column_text(x, text));
    }
    printf("\n");
}

static void show_text(const Board *board, bool ordered, bool shapes)
{
    Term term;
    term_init(&term, stdin, stdout);
    term_draw(&term, board);
    Cell winner = winner_of(board, ordered);
    Ban ban = ordered ? ban_of_last(board) : BAN_NONE;
    if (ban != BAN_NONE)
        printf("White has won: Black's last move is forbidden (%s).\n", ban_name(ban));
    else if (winner != CELL_EMPTY)
        printf("%s has won.\n", winner == CELL_BLACK ? "Black" : "White");
    else if (board_is_full(board))
        printf("The board is full: a draw.\n");
    else
        printf("%s to move.\n", board->side == BLACK ? "Black" : "White");
    print_forbidden(board);
    print_threats(board, board->side);
    print_threats(board, colour_other(board->side));
    if (!shapes) return;
    print_shapes(board, BLACK);
    print_shapes(board, WHITE);
}

static void show_record(const Record *record, const ShowOptions *options)
{
    Board *board = record_board(record, NEAR_SQUARE2);
    bool ordered = record->setup_count == 0 && record->nodes[0].first_child >= 0;
    if (options->json) {
        show_json(board, ordered, options->shapes, record->name);
    } else {
        printf("%s\n", record->name);
        show_text(board, ordered, options->shapes);
        printf("\n");
    }
    board_close(board);
}

static bool show_suite(const ShowOptions *options, const Rules *rules, Err *err)
{
    RecordSet set;
    if (!cli_suite(rules, options->suite, options->side, &set, err)) return false;
    for (int i = 0; i < set.count; i++) show_record(&set.records[i], options);
    record_set_close(&set);
    return true;
}

static bool show_position(const ShowOptions *options, const Rules *rules, const char *text,
                          Err *err)
{
    Position position;
    if (!cli_position(rules, text, options->side, &position, err)) return false;
    Board *board = cli_board(rules, &position, NEAR_SQUARE2);
    if (options->json)
        show_json(board, position.ordered, options->shapes, NULL);
    else
        show_text(board, position.ordered, options->shapes);
    board_close(board);
    position_free(&position);
    return true;
}

int cmd_show(int argc, char **argv)
{
    ShowOptions options = {0};
    Rules rules;
    Err err;
    int code;
    if (!cli_parse(&show_table, &argc, argv, &options, &code)) return code;
    bool good = cli_rules(&options.rules, &rules, &err);
    if (!options.side) options.side = "?"; /* to look at stones, any number of them will do */
    if (good && (argc == 1) == (options.suite != NULL))
        good = err_set(&err, "give either a POSITION or --suite FILE.tsv (see --help)");
    good = good && (options.suite ? show_suite(&options, &rules, &err)
                                  : show_position(&options, &rules, argv[0], &err));
    return good ? 0 : cli_fail(&show_table, &err);
}
