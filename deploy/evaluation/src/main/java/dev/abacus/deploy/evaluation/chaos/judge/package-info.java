/**
 * Judges the recorded history of a chaos run. Uses no class of the product, so a mistake of the
 * product cannot hide itself.
 *
 * <p>Reading order: {@link dev.abacus.deploy.evaluation.chaos.judge.History} is what was observed
 * from outside, {@link dev.abacus.deploy.evaluation.chaos.judge.Shape} what a program must do with
 * its documents, {@link dev.abacus.deploy.evaluation.chaos.judge.Judge} combines the judges of
 * delivery, epochs, payments and silence, each of which returns {@link
 * dev.abacus.deploy.evaluation.chaos.judge.Verdict verdicts}.
 */
@NullMarked
package dev.abacus.deploy.evaluation.chaos.judge;

import org.jspecify.annotations.NullMarked;
