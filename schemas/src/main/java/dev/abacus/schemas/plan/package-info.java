/**
 * Plans: how a program is carried out. Read {@link dev.abacus.schemas.plan.PhysicalOperator},
 * {@link dev.abacus.schemas.plan.PlanStep}, {@link dev.abacus.schemas.plan.PlanChoice}, and {@link
 * dev.abacus.schemas.plan.PhysicalPlan}, which adds the epoch that documents are stamped with, and
 * how sure its estimates are ({@link dev.abacus.schemas.plan.StepEstimate}). {@link
 * dev.abacus.schemas.plan.LinearClassifier} is how a classifier that travels in a plan decides.
 */
@NullMarked
package dev.abacus.schemas.plan;

import org.jspecify.annotations.NullMarked;
