/**
 * What the two planes tell each other while a plan is searched for: {@link
 * dev.abacus.schemas.observation.ValidationExample} comes in, {@link
 * dev.abacus.schemas.observation.SampleTask} goes to the data plane, {@link
 * dev.abacus.schemas.observation.Observation} comes back.
 */
@NullMarked
package dev.abacus.schemas.observation;

import org.jspecify.annotations.NullMarked;
