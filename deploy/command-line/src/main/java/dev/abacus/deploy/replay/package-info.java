/**
 * The replay of a plan on documents that a program has processed, from the side of the command.
 *
 * <p>Read {@link dev.abacus.deploy.replay.Candidate} (the plan), {@link
 * dev.abacus.deploy.replay.ProcessedDocuments} (the documents), {@link
 * dev.abacus.deploy.replay.ReplaySession} (sends tasks to the workers, within a limit of money) and
 * {@link dev.abacus.deploy.replay.ReplayComparison} (outcomes against {@link
 * dev.abacus.deploy.replay.ResultsInForce}).
 */
@NullMarked
package dev.abacus.deploy.replay;

import org.jspecify.annotations.NullMarked;
