/**
 * What travels between the stages of a program.
 *
 * <p>A document goes from stage to stage as an {@link dev.abacus.topology.passage.Envelope}: what
 * it is now, its {@link dev.abacus.topology.passage.Passage} so far, and the record that it came in
 * as. {@link dev.abacus.topology.passage.Watermark}s go the same way and say how far event time has
 * come. {@link dev.abacus.topology.passage.DeadLetter} is the way out for what cannot go on, from
 * any stage.
 */
@NullMarked
package dev.abacus.topology.passage;

import org.jspecify.annotations.NullMarked;
