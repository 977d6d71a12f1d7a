/**
 * What users want of a plan. Read {@link dev.abacus.schemas.objective.Dimension}, {@link
 * dev.abacus.schemas.objective.Bound}, {@link dev.abacus.schemas.objective.Objective}, and last
 * {@link dev.abacus.schemas.objective.ObjectiveParser} for how it is written.
 */
@NullMarked
package dev.abacus.schemas.objective;

import org.jspecify.annotations.NullMarked;
