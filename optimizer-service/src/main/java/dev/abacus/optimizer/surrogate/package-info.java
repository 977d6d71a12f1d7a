/** Placeholder text, replaced below. */
@NullMarked
package dev.abacus.optimizer.surrogate;

import org.jspecify.annotations.NullMarked;
