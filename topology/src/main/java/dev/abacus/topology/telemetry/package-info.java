/**
 * {@link dev.abacus.topology.telemetry.ProgramCounters} counts the events of a program; {@link
 * dev.abacus.topology.telemetry.Tracing} makes spans of operators and model calls, and {@code
 * TokenUsage} metrics of the latter.
 */
@NullMarked
package dev.abacus.topology.telemetry;

import org.jspecify.annotations.NullMarked;
