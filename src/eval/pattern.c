/* SPDX-License-Identifier: MIT */
/* Patterns: see pattern.h. Turning, reading, writing and the score they begin with. */
#include "eval/pattern.h"

#include <string.h>

static const char places[] = "0123456789a"; /* of a crossing */

PatternLine pattern_line(unsigned stones, int len)
{
    return (PatternLine)(1u << len | stones);
}

int pattern_line_len(PatternLine line)
{
    return 31 - __builtin_clz((unsigned)line);
}

int pattern_line_stones(PatternLine line)
{
    return __builtin_popcount(line) - 1;
}

PatternLine pattern_line_reversed(PatternLine line)
{
    int len = pattern_line_len(line);
    unsigned out = 0;
    for (int i = 0; i < len; i++) out |= (line >> i & 1u) << (len - 1 - i);
    return pattern_line(out, len);
}

static bool is_stone(PatternLine line, int cell)
{
    return line >> cell & 1;
}

/* Stones in the left half less those in the right half; a cell in the middle is in neither. */
static int left_excess(PatternLine line)
{
    int len = pattern_line_len(line), excess = 0;
    for (int i = 0; i < len / 2; i++) excess += is_stone(line, i) - is_stone(line, len - 1 - i);
    return excess;
}

/* '-' sorts before 'x'. */
static bool sorts_before(PatternLine a, PatternLine b)
{
    for (int i = 0; i < pattern_line_len(a); i++)
        if (is_stone(a, i) != is_stone(b, i)) return is_stone(b, i);
    return false;
}

PatternLine pattern_line_turn(PatternLine line, bool *turned)
{
    PatternLine other = pattern_line_reversed(line);
    int excess = left_excess(line);
    *turned = excess < 0 || (excess == 0 && sorts_before(other, line));
    return *turned ? other : line;
}

static PatternLine turn_with_place(PatternLine line, uint8_t *at)
{
    bool turned;
    PatternLine out = pattern_line_turn(line, &turned);
    int far = pattern_line_len(line) - 1 - *at;
    if (turned || (out == pattern_line_reversed(out) && far < *at)) *at = (uint8_t)far;
    return out;
}

Pattern pattern_linear(PatternLine line)
{
    bool turned;
    return (Pattern){.main = pattern_line_turn(line, &turned)};
}

Pattern pattern_cross(PatternLine main, int main_at, PatternLine second, int second_at)
{
    Pattern p = {.main_at = (uint8_t)main_at, .second_at = (uint8_t)second_at};
    p.main = turn_with_place(main, &p.main_at);
    p.second = turn_with_place(second, &p.second_at);
    return p;
}

Pattern pattern_swapped(Pattern p)
{
    return (Pattern){p.second, p.main, p.second_at, p.main_at};
}

uint32_t pattern_key(const Pattern *p)
{
    uint32_t a = (uint32_t)p->main << 4 | p->main_at, b = (uint32_t)p->second << 4 | p->second_at;
    return a > b ? a << 16 | b : b << 16 | a;
}

bool pattern_equal(const Pattern *a, const Pattern *b)
{
    return a->main == b->main && a->second == b->second && a->main_at == b->main_at &&
           a->second_at == b->second_at;
}

/* ---- text ---- */

/* Reads x and - from *text on, at most to end. */
static bool parse_line(const char **text, const char *end, int k, PatternLine *line, Err *err)
{
    const char *start = *text;
    unsigned stones = 0;
    int len = 0;
    for (; *text < end && (**text == 'x' || **text == '-'); (*text)++, len++)
        if (len <= PATTERN_LINE_MAX) stones |= (unsigned)(**text == 'x') << len;
    if (len < k - 1 || len > k + 1)
        return err_set(err, "the line \"%.*s\" has %d cells; there must be %d to %d",
                       len < 40 ? len : 40, start, len, k - 1, k + 1);
    *line = pattern_line(stones, len);
    int count = pattern_line_stones(*line);
    if (count < 2 || count >= k)
        return err_set(err, "the line \"%.*s\" has %d stone%s; there must be 2 to %d", len, start,
                       count, count == 1 ? "" : "s", k - 1);
    return true;
}

static bool parse_place(const char **text, const char *end, PatternLine line, int *at, Err *err)
{
    const char *found = *text < end && **text ? strchr(places, **text) : NULL;
    if (!found) return err_set(err, "where the lines cross is said by two digits between them");
    *at = (int)(found - places);
    (*text)++;
    return *at < pattern_line_len(line) ||
           err_set(err, "place %c is beyond the end of its line", *found);
}

static bool parse_composite(const char **text, const char *end, int k, PatternLine main,
                            Pattern *pattern, Err *err)
{
    /* The second place cannot be judged before its line is known. */
    const char *second_place;
    int main_at = 0, second_at = 0;
    PatternLine second;
    if (!parse_place(text, end, main, &main_at, err)) return false;
    second_place = *text;
    if (*text < end) (*text)++;
    if (!parse_line(text, end, k, &second, err) ||
        !parse_place(&second_place, end, second, &second_at, err))
        return false;
    if (is_stone(main, main_at) != is_stone(second, second_at))
        return err_set(err, "the lines do not agree on whether there is a stone where they cross");
    *pattern = pattern_cross(main, main_at, second, second_at);
    return true;
}

bool pattern_parse(const char *text, size_t len, int k, Pattern *pattern, Err *err)
{
    const char *at = text, *end = text + len;
    PatternLine main;
    bool good = parse_line(&at, end, k, &main, err);
    if (good && at == end) {
        *pattern = pattern_linear(main);
    } else {
        good = good && parse_composite(&at, end, k, main, pattern, err);
        if (good && at != end)
            good = err_set(err, "there is more after the second line: only x and - belong there");
    }
    if (good) return true;
    return err_prefix(err, "pattern \"%.*s\"", len < PATTERN_TEXT_MAX ? (int)len : PATTERN_TEXT_MAX,
                      text);
}

static char *write_line(PatternLine line, char *out)
{
    for (int i = 0; i < pattern_line_len(line); i++) *out++ = is_stone(line, i) ? 'x' : '-';
    return out;
}

const char *pattern_text(const Pattern *pattern, char text[PATTERN_TEXT_MAX])
{
    char *end = write_line(pattern->main, text);
    if (pattern->second) {
        *end++ = places[pattern->main_at];
        *end++ = places[pattern->second_at];
        end = write_line(pattern->second, end);
    }
    *end = '\0';
    return text;
}

/* ---- scores ---- */

int pattern_standard(const Pattern *pattern, int k)
{
    enum { K_OF_THE_TABLES = 5, LOWEST = 2, HIGHEST = 4 };
    int power = pattern_line_stones(pattern->main) + K_OF_THE_TABLES - k, score = 1;
    if (power < LOWEST) power = LOWEST;
    if (pattern->second && power < HIGHEST) power++;
    while (power-- > 0) score *= 10;
    return score;
}

int pattern_within(const Pattern *pattern, int k, int score)
{
    int middle = pattern_standard(pattern, k);
    if (score > middle + PATTERN_LEEWAY) return middle + PATTERN_LEEWAY;
    return score < middle - PATTERN_LEEWAY ? middle - PATTERN_LEEWAY : score;
}
