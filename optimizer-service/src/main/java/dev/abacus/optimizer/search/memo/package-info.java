/**
 * The memo of the search (paper, section 3.1): every subplan stands in it once, however many plans
 * share it. {@link dev.abacus.optimizer.search.memo.ProgramGraph} is how the operators of a program
 * hang together. Read {@link dev.abacus.optimizer.search.memo.GroupKey} and {@link
 * dev.abacus.optimizer.search.memo.Group}, {@link
 * dev.abacus.optimizer.search.memo.LogicalExpression} and {@link
 * dev.abacus.optimizer.search.memo.PhysicalExpression} for what a group holds, {@link
 * dev.abacus.optimizer.search.memo.Subplan} for how plans are read back, and {@link
 * dev.abacus.optimizer.search.memo.Memo} for the whole.
 */
@NullMarked
package dev.abacus.optimizer.search.memo;

import org.jspecify.annotations.NullMarked;
