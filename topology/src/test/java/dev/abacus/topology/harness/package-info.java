/**
 * Runs every technique through what production does to it. {@link
 * dev.abacus.topology.harness.OperatorHarnessTest} is the list of trials; {@link
 * dev.abacus.topology.harness.TechniqueCase} is what it needs to know of a technique, and {@link
 * dev.abacus.topology.harness.TechniqueCases} holds one case for every kind of {@link
 * dev.abacus.schemas.plan.PhysicalOperator}: a kind without a case fails the build.
 */
@NullMarked
package dev.abacus.topology.harness;

import org.jspecify.annotations.NullMarked;
