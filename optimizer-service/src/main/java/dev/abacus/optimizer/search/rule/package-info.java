/**
 * What may be done to a plan (paper, section 2.2, "creation of search space"). Read {@link
 * dev.abacus.optimizer.search.rule.Rule}, then {@link
 * dev.abacus.optimizer.search.rule.TransformationRule}, which finds other orders of the same
 * operators, and {@link dev.abacus.optimizer.search.rule.ImplementationRule}, which finds ways to
 * carry one out. One rule is one file, in {@code transformation} or {@code implementation}.
 */
@NullMarked
package dev.abacus.optimizer.search.rule;

import org.jspecify.annotations.NullMarked;
