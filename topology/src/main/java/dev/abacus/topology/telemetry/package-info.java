/**
 * {@link dev.abacus.topology.telemetry.ProgramCounters} counts the events of a program; {@link
 * dev.abacus.topology.telemetry.Tracing} makes spans of operators and model calls.
 */
@NullMarked
package dev.abacus.topology.telemetry;

import org.jspecify.annotations.NullMarked;
