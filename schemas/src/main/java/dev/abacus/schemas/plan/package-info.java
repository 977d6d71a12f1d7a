/**
 * Physical plans. Read {@link dev.abacus.schemas.plan.PhysicalOperator}, {@link
 * dev.abacus.schemas.plan.PlanStep}, {@link dev.abacus.schemas.plan.PlanChoice}, and {@link
 * dev.abacus.schemas.plan.PhysicalPlan}, which adds the epoch that documents are stamped with and
 * the confidence of its estimates ({@link dev.abacus.schemas.plan.StepEstimate}). {@link
 * dev.abacus.schemas.plan.LinearClassifier} makes the decisions of a {@link
 * dev.abacus.schemas.plan.TrainedClassifier}. {@link dev.abacus.schemas.plan.PlanCheck} compares a
 * plan with its program.
 */
@NullMarked
package dev.abacus.schemas.plan;

import org.jspecify.annotations.NullMarked;
