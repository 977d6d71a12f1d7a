/**
 * Samples: tasks of the optimizer to try an implementation on an input. {@link
 * dev.abacus.topology.sample.SampleTopology} reads tasks and writes observations. {@link
 * dev.abacus.topology.sample.SampleWork} processes a task with {@link
 * dev.abacus.topology.sample.SampleRunner}, which uses the same operators as live documents.
 */
@NullMarked
package dev.abacus.topology.sample;

import org.jspecify.annotations.NullMarked;
