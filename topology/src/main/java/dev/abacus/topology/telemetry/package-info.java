/**
 * What an instance counts: {@link dev.abacus.topology.telemetry.ProgramCounters} hears the events
 * of a program.
 */
@NullMarked
package dev.abacus.topology.telemetry;

import org.jspecify.annotations.NullMarked;
