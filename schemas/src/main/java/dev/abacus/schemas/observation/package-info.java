/**
 * Messages of the search for a plan. Users provide {@link
 * dev.abacus.schemas.observation.ValidationExample}; the optimizer sends {@link
 * dev.abacus.schemas.observation.SampleTask}; the data plane returns {@link
 * dev.abacus.schemas.observation.Observation}.
 */
@NullMarked
package dev.abacus.schemas.observation;

import org.jspecify.annotations.NullMarked;
