/**
 * The truth. Read {@link dev.abacus.deploy.simulator.truth.KnownDocument} (what is known of a
 * document), {@link dev.abacus.deploy.simulator.truth.KnownDocuments} (all of them) and {@link
 * dev.abacus.deploy.simulator.truth.DocumentIndex} (how a prompt's documents are recognised).
 */
@NullMarked
package dev.abacus.deploy.simulator.truth;

import org.jspecify.annotations.NullMarked;
