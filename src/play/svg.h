/* SPDX-License-Identifier: MIT */
/* Drawings in SVG: an axis with round marks, and a chart of shares (0 … 1) over games. */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

enum { SVG_WIDTH = 900, SVG_LINES_MAX = 8 };

/* Text as it may stand in HTML and SVG. */
void svg_escape(const char *text, Buf *out);

/* Values from low to high lie between two places of the drawing. */
typedef struct {
    double low, high, from, to;
} SvgAxis;

double svg_at(const SvgAxis *axis, double value);
/* 1, 2 or 5 times a power of ten, so that about `marks` fit. */
double svg_step(const SvgAxis *axis, int marks);

typedef struct {
    const char *name; /* the caller's */
    double *x, *y;    /* owned by the chart */
    int count;
} SvgLine;

typedef struct {
    const char *label; /* what it is, for those who cannot see it */
    double x_most;
    SvgLine lines[SVG_LINES_MAX];
    int line_count;
} SvgChart;

/* An empty line with room for so many places; at most SVG_LINES_MAX. */
SvgLine *svg_chart_add(SvgChart *chart, const char *name, int room);
void svg_chart_free(SvgChart *chart);
/* `alone`: a file of its own, not a part of a page that has the colours. */
void svg_chart_write(const SvgChart *chart, bool alone, Buf *out);
