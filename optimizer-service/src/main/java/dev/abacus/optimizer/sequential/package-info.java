/**
 * Tests that are valid at any time, however often one looks: {@link
 * dev.abacus.optimizer.sequential.BettingTest} of a mean, and {@link
 * dev.abacus.optimizer.sequential.ChangeDetector} of its change at an unknown time.
 */
@NullMarked
package dev.abacus.optimizer.sequential;

import org.jspecify.annotations.NullMarked;
