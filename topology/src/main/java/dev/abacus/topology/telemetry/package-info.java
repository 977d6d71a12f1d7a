/**
 * What an instance tells of itself: {@link dev.abacus.topology.telemetry.ProgramCounters} hears the
 * events of a program, {@link dev.abacus.topology.telemetry.StatusReporter} sends them to the
 * status topic.
 */
@NullMarked
package dev.abacus.topology.telemetry;

import org.jspecify.annotations.NullMarked;
