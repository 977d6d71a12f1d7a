/**
 * Samples: the optimizer's requests to try an implementation. {@link
 * dev.abacus.topology.sample.SampleWork} runs them through the same operators as live documents,
 * scores them and reports; {@link dev.abacus.topology.sample.SampleTopology} puts it between the
 * topics.
 */
@NullMarked
package dev.abacus.topology.sample;

import org.jspecify.annotations.NullMarked;
