/**
 * Learns from the answers of implementations to live documents: classifiers that answer some
 * documents without a call, and the proof that they agree with the implementation.
 *
 * <pre>
 *   live answers ──► ClassifierChain, per operator and question ──► LearnedAnswers
 *                      fits at doublings of the answers              │
 *                      tests a candidate on later answers            ▼
 *                      withdraws on audits                     LiveLearner: a plan with a new epoch
 * </pre>
 *
 * <p>Reading order: {@link dev.abacus.optimizer.learning.CandidateClassifier}, {@link
 * dev.abacus.optimizer.learning.ClassifierChain}, {@link
 * dev.abacus.optimizer.learning.LiveLearner}. The same answers yield the same classifiers, so a new
 * leader that reads them again continues where its predecessor stopped.
 */
@NullMarked
package dev.abacus.optimizer.learning;

import org.jspecify.annotations.NullMarked;
