/**
 * What each part of the page shows, as records, text and geometry, computed from a {@link
 * dev.abacus.optimizer.page.records.Cluster}. Templates lay it out and format the records.
 *
 * <p>{@link dev.abacus.optimizer.page.view.ProgramHead} is on every page of a program; then read
 * {@link dev.abacus.optimizer.page.view.OverviewView}, {@link
 * dev.abacus.optimizer.page.view.PlansView} and {@link dev.abacus.optimizer.page.view.SamplesView}.
 */
@NullMarked
package dev.abacus.optimizer.page.view;

import org.jspecify.annotations.NullMarked;
