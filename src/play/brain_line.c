/* SPDX-License-Identifier: MIT */
#include "play/brain_line.h"

#include "eval/eval.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *past_blanks(const char *text)
{
    while (isspace((unsigned char)*text)) text++;
    return text;
}

/* Does the line begin with this word? */
static bool begins(const char *line, const char *word)
{
    size_t len = strlen(word);
    return strncasecmp(line, word, len) == 0 && !isalnum((unsigned char)line[len]);
}

static bool read_number(const char **text, long *value)
{
    char *end;
    if (!isdigit((unsigned char)**text)) return false;
    *value = strtol(*text, &end, 10);
    *text = end;
    return true;
}

/* "x,y", with blanks wherever somebody might put some. */
static bool read_pair(const Rules *rules, const char **text, Point *p)
{
    long x, y;
    *text = past_blanks(*text);
    if (!read_number(text, &x)) return false;
    *text = past_blanks(*text);
    if (**text != ',') return false;
    *text = past_blanks(*text + 1);
    if (!read_number(text, &y)) return false;
    if (x >= rules->width || y >= rules->height) return false;
    *p = rules_point(rules, (int)x, (int)y);
    return true;
}

static bool read_points(const Rules *rules, const char *line, Thought *thought)
{
    enum { MOST = 3 };
    Point points[MOST];
    int n = 0;
    while (*past_blanks(line)) {
        if (n == MOST || !read_pair(rules, &line, &points[n])) return false;
        n++;
    }
    if (n == 0) return false;
    thought->decision = n == 1 ? DECIDE_MOVE : DECIDE_STONES;
    thought->stone_count = n;
    memcpy(thought->stones, points, (size_t)n * sizeof *points);
    return true;
}

LineKind brain_line_read(const Rules *rules, const char *line, Thought *thought)
{
    line = past_blanks(line);
    if (begins(line, "MESSAGE") || begins(line, "DEBUG")) return LINE_MESSAGE;
    if (begins(line, "ERROR")) return LINE_ERROR;
    if (begins(line, "UNKNOWN")) return LINE_UNKNOWN;
    if (begins(line, "name")) return LINE_ABOUT;
    if (begins(line, "OK")) return LINE_OK;
    if (begins(line, "SUGGEST")) {
        bool good = read_points(rules, line + strlen("SUGGEST"), thought);
        return good && thought->stone_count == 1 ? LINE_SUGGEST : LINE_NONSENSE;
    }
    if (begins(line, "SWAP") && !*past_blanks(line + strlen("SWAP"))) {
        thought->decision = DECIDE_SWAP;
        thought->stone_count = 0;
        return LINE_DECISION;
    }
    return read_points(rules, line, thought) ? LINE_DECISION : LINE_NONSENSE;
}

/* The value after one of these words: a number, a percentage, or a mate like +M12 or "win in 5".
 * A rate without a percent sign is a probability, if it can be one. */
static bool read_value(const char *text, bool rate, double *value)
{
    text += strspn(text, " \t:=");
    bool win = begins(text, "win");
    if (win || begins(text, "loss")) {
        *value = win ? 1 : 0;
        return true;
    }
    double sign = *text == '-' ? -1 : 1;
    const char *after = text + (*text == '-' || *text == '+');
    if ((*after == 'M' || *after == 'm') && isdigit((unsigned char)after[1])) {
        *value = sign > 0 ? 1 : 0;
        return true;
    }
    if (!isdigit((unsigned char)*after)) return false;
    char *end;
    double number = strtod(text, &end);
    if (*end == '%' || (rate && number > 1))
        *value = number / 100;
    else
        *value = rate ? number : eval_win_rate((int)fmax(-1e6, fmin(1e6, number)));
    return *value >= 0 && *value <= 1;
}

void brain_line_message(const char *line, Thought *thought)
{
    static const char *const values[] = {"eval", "ev", "evaluation", "value", "val", "winrate"};
    const size_t rate = sizeof values / sizeof *values - 1;
    static const char *const depths[] = {"depth", "dep"};
    for (const char *word = line; *word;) {
        size_t len = 0;
        while (isalpha((unsigned char)word[len])) len++;
        for (size_t i = 0; len && i < sizeof values / sizeof *values; i++) {
            if (strlen(values[i]) != len || strncasecmp(word, values[i], len) != 0) continue;
            double value;
            if (!read_value(word + len, i == rate, &value)) continue;
            thought->has_value = true;
            thought->value = value;
        }
        for (size_t i = 0; len && i < sizeof depths / sizeof *depths; i++) {
            if (strlen(depths[i]) != len || strncasecmp(word, depths[i], len) != 0) continue;
            const char *number = word + len + strspn(word + len, " \t:=");
            long depth;
            if (read_number(&number, &depth) && depth < 10000) thought->depth = (int)depth;
        }
        word += len ? len : 1;
    }
}
