/** {@link dev.abacus.topology.telemetry.ProgramCounters} counts the events of a program. */
@NullMarked
package dev.abacus.topology.telemetry;

import org.jspecify.annotations.NullMarked;
