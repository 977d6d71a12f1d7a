/**
 * Record formats between the stages of a program.
 *
 * <p>Reading order: an {@link dev.abacus.topology.codec.Envelope} carries a document, with its
 * {@link dev.abacus.topology.codec.Provenance} and its source record. A {@link
 * dev.abacus.topology.codec.Watermark} follows the documents and carries event time. {@link
 * dev.abacus.topology.codec.PairHeaders} connect the parts of a left join. A {@link
 * dev.abacus.topology.codec.DeadLetter} leaves a program from any stage.
 */
@NullMarked
package dev.abacus.topology.codec;

import org.jspecify.annotations.NullMarked;
