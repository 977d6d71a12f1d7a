/**
 * Computes the geometry of charts; templates draw them as SVG. {@link
 * dev.abacus.optimizer.page.chart.GraphLayout} places the operators of a program by Eclipse ELK,
 * {@link dev.abacus.optimizer.page.chart.ScatterChart} places implementations and plans by quality
 * and cost.
 */
@NullMarked
package dev.abacus.optimizer.page.chart;

import org.jspecify.annotations.NullMarked;
