/* SPDX-License-Identifier: MIT */
/* INFO: what the manager lets the brain know. It is never answered; what is wrong with it is
 * reported at the next command. Unknown keys are none of our business. */
#include "app/brain_inside.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { KEY_MAX = 24, TURN_DEFAULT_MS = 5000 };

typedef struct {
    const char *key;
    size_t offset; /* in BrainInfo */
    int64_t min, max;
} Key;

#define KEY(name, from, to)                                                                        \
    {                                                                                              \
#name, offsetof(BrainInfo, name), from, to                                                 \
    }

static const Key keys[] = {
    KEY(timeout_turn, 0, INT_MAX),
    KEY(timeout_match, 0, INT64_MAX / 4),
    KEY(time_left, INT64_MIN / 4, INT64_MAX / 4),
    KEY(time_increment, 0, INT_MAX),
    KEY(max_memory, 0, INT64_MAX / 4),
    KEY(hash_size, 0, INT64_MAX >> 12),
    KEY(max_depth, 0, INT_MAX),
    KEY(max_node, 0, INT64_MAX),
    KEY(thread_num, 0, 256),
    KEY(show_detail, 0, 3),
    KEY(strength, 0, 100),
    KEY(pondering, 0, 1),
    KEY(caution_factor, 0, 5),
    {"game_type", offsetof(BrainInfo, ignored), 0, INT_MAX},
};

void brain_info_init(BrainInfo *info)
{
    *info = (BrainInfo){.timeout_turn = TURN_DEFAULT_MS,
                        .strength = 100,
                        .caution_factor = -1,
                        .rule = RULE_FREESTYLE};
}

/* The number is a sum: 1 exactly five, 2 continuous game, 4 renju, 8 caro. */
static bool rule_of(int64_t number, RuleKind *rule, Err *err)
{
    switch (number) {
    case 0:
        *rule = RULE_FREESTYLE;
        return true;
    case 1:
        *rule = RULE_STANDARD;
        return true;
    case 2: /* alone it is what Yixin calls renju */
    case 4:
    case 5: /* renju is about exactly five anyway */
        *rule = RULE_RENJU;
        return true;
    case 8:
        *rule = RULE_CARO6;
        return true;
    case 9:
        *rule = RULE_CARO;
        return true;
    default:
        if (number > 0 && number < 16 && number & 2)
            return err_set(err, "rule %d: continuous games are not supported", (int)number);
        return err_set(err, "rule %lld: there are 0, 1, 2, 4, 8 and 9", (long long)number);
    }
}

static void info_rule(Brain *brain, const char *value)
{
    int64_t number;
    if (!brain_parse_int(&value, &number)) {
        err_set(&brain->problem, "INFO rule %s: not a number", value);
    } else if (rule_of(number, &brain->info.rule, &brain->rule_problem)) {
        brain->rule_problem.text[0] = '\0';
    }
}

static void info_number(Brain *brain, const Key *key, const char *value)
{
    int64_t number;
    if (!brain_parse_int(&value, &number)) {
        err_set(&brain->problem, "INFO %s %s: not a number", key->key, value);
        return;
    }
    if (number < key->min) number = key->min;
    if (number > key->max) number = key->max;
    memcpy((char *)&brain->info + key->offset, &number, sizeof number);
    if (strcmp(key->key, "time_left") == 0) brain->info.left = LEFT_SAID;
    if (strcmp(key->key, "timeout_match") == 0 && brain->info.left == LEFT_COUNTED)
        brain->info.left = LEFT_UNKNOWN;
}

void brain_info(Brain *brain, const char *args)
{
    char word[KEY_MAX];
    size_t n = 0;
    for (; *args && *args != ' ' && *args != '\t'; args++)
        if (n < sizeof word - 1) word[n++] = (char)tolower((unsigned char)*args);
    word[n] = '\0';
    if (strcmp(word, "rule") == 0) {
        info_rule(brain, args);
        return;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(keys[i].key, word) == 0) info_number(brain, &keys[i], args);
}
