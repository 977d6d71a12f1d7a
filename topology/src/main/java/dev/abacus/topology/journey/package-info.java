/**
 * Records the journeys of some documents. {@link dev.abacus.topology.journey.Journeys} decides
 * which journeys are written, {@link dev.abacus.topology.journey.JourneyRecorder} collects one,
 * {@link dev.abacus.topology.journey.JourneyTexts} redacts and shortens texts, and {@link
 * dev.abacus.topology.journey.JourneyTopic} writes.
 */
@NullMarked
package dev.abacus.topology.journey;

import org.jspecify.annotations.NullMarked;
