/**
 * Objectives of plans. Read {@link dev.abacus.schemas.objective.Dimension}, {@link
 * dev.abacus.schemas.objective.Bound}, {@link dev.abacus.schemas.objective.Objective}, and last
 * {@link dev.abacus.schemas.objective.ObjectiveParser} for the text form.
 */
@NullMarked
package dev.abacus.schemas.objective;

import org.jspecify.annotations.NullMarked;
