/**
 * The data plane. {@link dev.abacus.topology.Worker} is one instance; it runs a {@link
 * dev.abacus.topology.ProgramRunner} for every program on the control topic.
 *
 * <p>Reading order: {@code runtime} (asynchronous exactly-once processing, knows nothing of
 * documents), {@code model} (calls models), {@code operator} (how each implementation runs), {@code
 * execution} (a plan's steps), {@code control} (which plan), {@code document} and {@code sample}
 * (the two kinds of work), {@code scoring}, {@code telemetry}.
 */
@NullMarked
package dev.abacus.topology;

import org.jspecify.annotations.NullMarked;
