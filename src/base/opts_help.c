/* SPDX-License-Identifier: MIT */
/* Help texts, from the same tables that options are read by: see opts.h. */
#include "base/opts.h"

#include <string.h>

/* A switch that is on unless it is turned off: how, must be said. */
static bool is_on(const Opt *opt)
{
    return opt->type == OPT_BOOL && opt->standard && strcmp(opt->standard, "yes") == 0;
}

static const char *value_word(const Opt *opt)
{
    if (opt->value) return opt->value;
    switch (opt->type) {
    case OPT_INT:
    case OPT_COUNT:
        return "N";
    case OPT_BYTES:
        return "BYTES";
    case OPT_FLOAT:
        return "X";
    case OPT_SIZE:
        return "WxH";
    case OPT_CHOICE:
        return opt->choices;
    case OPT_TEXT:
        return "TEXT";
    case OPT_BOOL:
        break;
    }
    return is_on(opt) ? "yes|no" : "";
}

/* The rest of a row that begins at `start` of out with the option and its value. */
static void help_text(const Opt *opt, size_t start, Buf *out)
{
    int used = text_width(out->data + start);
    enum { HELP_COLUMN = 30 };
    if (used + 2 > HELP_COLUMN) {
        buf_add_char(out, '\n');
        used = 0;
    }
    buf_printf(out, "%*s%s", HELP_COLUMN - used, "", opt->help);
    if (opt->standard && *opt->standard && (opt->type != OPT_BOOL || is_on(opt))) {
        buf_printf(out, " (default %s)", opt->standard);
    }
    buf_add_char(out, '\n');
}

static void help_row(const Opt *opt, Buf *out)
{
    size_t start = out->len;
    if (opt->letter) {
        buf_printf(out, "  -%c, --%s", opt->letter, opt->name);
    } else {
        buf_printf(out, "      --%s", opt->name);
    }
    const char *word = value_word(opt);
    if (*word) buf_printf(out, "%c%s", opt->type == OPT_BOOL ? '=' : ' ', word);
    help_text(opt, start, out);
}

void opts_help(const OptTable *table, Buf *out)
{
    buf_printf(out, "usage: %s", table->name);
    if (table->opts) buf_add_text(out, " [options]");
    if (table->args) buf_printf(out, " %s", table->args);
    buf_printf(out, "\n%s\n\n", table->about);
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        if (opt->help) help_row(opt, out);
    }
    buf_add_text(out, "      --help                  print this\n");
    if (table->example) buf_printf(out, "\nexample: %s\n", table->example);
}

void spec_help(const OptTable *table, Buf *out)
{
    buf_printf(out, "%s\n%s\n", table->name, table->about);
    for (const Opt *opt = table->opts; opt && opt->name; opt++) {
        size_t start = out->len;
        if (!opt->help) continue;
        const char *word = value_word(opt);
        buf_printf(out, "  %s%s%s", opt->name, *word ? "=" : "", word);
        help_text(opt, start, out);
    }
    if (table->example) buf_printf(out, "example: %s\n", table->example);
}
