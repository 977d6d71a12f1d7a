/**
 * The memo of the search (paper, section 3.1): equivalent subplans share a group and are planned
 * once.
 *
 * <p>Read {@link dev.abacus.optimizer.search.memo.ProgramGraph} for the chains of a program, {@link
 * dev.abacus.optimizer.search.memo.GroupKey} and {@link dev.abacus.optimizer.search.memo.Group},
 * {@link dev.abacus.optimizer.search.memo.OrderSpace} with {@link
 * dev.abacus.optimizer.search.memo.Rank} for the orders of operators to enumerate, {@link
 * dev.abacus.optimizer.search.memo.LogicalExpression} and {@link
 * dev.abacus.optimizer.search.memo.PhysicalExpression} for the content of a group, {@link
 * dev.abacus.optimizer.search.memo.Subplan} and {@link
 * dev.abacus.optimizer.search.memo.GroupFrontier} for its best subplans, and {@link
 * dev.abacus.optimizer.search.memo.Memo} for all groups.
 */
@NullMarked
package dev.abacus.optimizer.search.memo;

import org.jspecify.annotations.NullMarked;
