/**
 * The truth. Read {@link dev.abacus.deploy.simulator.answers.KnownDocument} (what is known of a
 * document), {@link dev.abacus.deploy.simulator.answers.Answers} (all of them) and {@link
 * dev.abacus.deploy.simulator.answers.DocumentIndex} (how a prompt's documents are recognised).
 */
@NullMarked
package dev.abacus.deploy.simulator.answers;

import org.jspecify.annotations.NullMarked;
