/**
 * Tests every technique under the conditions of production. {@link
 * dev.abacus.topology.harness.OperatorHarness} runs it in the tests, {@link
 * dev.abacus.topology.harness.TechniqueCase} describes a technique, and {@link
 * dev.abacus.topology.harness.TechniqueCases} has one case for every {@link
 * dev.abacus.schemas.plan.PhysicalOperator}. A technique without a case fails the build.
 */
@NullMarked
package dev.abacus.topology.harness;

import org.jspecify.annotations.NullMarked;
