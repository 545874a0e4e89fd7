/* SPDX-License-Identifier: MIT */
#include "play/svg.h"

#include "base/mem.h"

#include <math.h>

static const char *const colours[SVG_LINES_MAX] = {"#2563eb", "#dc2626", "#059669", "#d97706",
                                                   "#7c3aed", "#0891b2", "#db2777", "#65a30d"};

void svg_escape(const char *text, Buf *out)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            buf_add_text(out, "&lt;");
            break;
        case '>':
            buf_add_text(out, "&gt;");
            break;
        case '&':
            buf_add_text(out, "&amp;");
            break;
        case '"':
            buf_add_text(out, "&quot;");
            break;
        default:
            buf_add_char(out, *text);
        }
    }
}

double svg_at(const SvgAxis *axis, double value)
{
    double span = axis->high - axis->low;
    return axis->from + (span > 0 ? (value - axis->low) / span : 0.5) * (axis->to - axis->from);
}

double svg_step(const SvgAxis *axis, int marks)
{
    double rough = (axis->high - axis->low) / marks;
    double power = pow(10, floor(log10(rough > 0 ? rough : 1)));
    return rough <= power       ? power
           : rough <= 2 * power ? 2 * power
           : rough <= 5 * power ? 5 * power
                                : 10 * power;
}

SvgLine *svg_chart_add(SvgChart *chart, const char *name, int room)
{
    SvgLine *line = &chart->lines[chart->line_count++];
    size_t bytes = (size_t)room * sizeof *line->x;
    *line = (SvgLine){name, mem_alloc(bytes), mem_alloc(bytes), 0};
    return line;
}

void svg_chart_free(SvgChart *chart)
{
    for (int i = 0; i < chart->line_count; i++) {
        mem_free(chart->lines[i].x);
        mem_free(chart->lines[i].y);
    }
    chart->line_count = 0;
}

static void add_line(const SvgLine *line, const char *colour, const SvgAxis *x, const SvgAxis *y,
                     Buf *out)
{
    buf_printf(out, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colour);
    for (int i = 0; i < line->count; i++)
        buf_printf(out, "%.1f,%.1f ", svg_at(x, line->x[i]), svg_at(y, line->y[i]));
    buf_add_text(out, "\"/>\n");
}

static void add_head(const SvgChart *chart, int height, bool alone, Buf *out)
{
    buf_printf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", SVG_WIDTH, height);
    svg_escape(chart->label, out);
    buf_add_text(out, "\"");
    if (!alone) {
        buf_add_text(out, ">\n");
        return;
    }
    buf_printf(out,
               " xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">\n"
               "<style>text{fill:#1c1f24;font:13px system-ui,sans-serif}.soft{fill:#667}"
               ".rule{stroke:#d8dbe0}</style>\n<rect width=\"100%%\" height=\"100%%\" "
               "fill=\"#fff\"/>\n",
               SVG_WIDTH, height);
}

void svg_chart_write(const SvgChart *chart, bool alone, Buf *out)
{
    enum { HEIGHT = 360, LEFT = 50, RIGHT = 220 };
    SvgAxis x = {0, chart->x_most, LEFT, SVG_WIDTH - RIGHT}, y = {0, 1, HEIGHT - 30, 10};
    add_head(chart, HEIGHT, alone, out);
    for (int i = 0; i <= 4; i++)
        buf_printf(out,
                   "<line class=\"rule\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                   "class=\"soft\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%d %%</text>\n",
                   LEFT, SVG_WIDTH - RIGHT, svg_at(&y, i / 4.0), svg_at(&y, i / 4.0), LEFT - 6,
                   svg_at(&y, i / 4.0) + 4, 25 * i);
    double step = svg_step(&x, 6);
    for (double mark = 0; mark <= x.high; mark += step)
        buf_printf(out,
                   "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n",
                   svg_at(&x, mark), HEIGHT - 8, mark);
    for (int i = 0; i < chart->line_count; i++) {
        add_line(&chart->lines[i], colours[i], &x, &y, out);
        buf_printf(out, "<text x=\"%d\" y=\"%d\" style=\"fill:%s\">", SVG_WIDTH - RIGHT + 14,
                   24 + 20 * i, colours[i]);
        svg_escape(chart->lines[i].name, out);
        buf_add_text(out, "</text>\n");
    }
    buf_add_text(out, "</svg>\n");
}
