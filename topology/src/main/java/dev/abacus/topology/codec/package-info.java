/**
 * What travels between the stages of a program.
 *
 * <p>A document goes from stage to stage as an {@link dev.abacus.topology.codec.Envelope}: what it
 * is now, its {@link dev.abacus.topology.codec.Provenance} so far, and the record that it came in
 * as. {@link dev.abacus.topology.codec.Watermark}s go the same way and say how far event time has
 * come. {@link dev.abacus.topology.codec.DeadLetter} is the way out for what cannot go on, from any
 * stage.
 */
@NullMarked
package dev.abacus.topology.codec;

import org.jspecify.annotations.NullMarked;
