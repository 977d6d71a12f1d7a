/**
 * Learns from the answers of implementations to live documents: classifiers that answer some
 * documents without a call, the proof that they agree with the implementation, and the order in
 * which documents meet adjacent filters.
 *
 * <pre>
 *   live answers ──► AnswerLearner, per operator and question ──► LearnedAnswers
 *                      fits as answers grow by a tenth              │
 *                      scores each answer before it is learnt from  ▼
 *                      withdraws on audits                    LiveLearner: a plan with a new epoch
 * </pre>
 *
 * <p>Reading order: {@link dev.abacus.optimizer.learning.FittedAnswers}, {@link
 * dev.abacus.optimizer.learning.AgreementChecks}, {@link
 * dev.abacus.optimizer.learning.TakenDocuments}, {@link
 * dev.abacus.optimizer.learning.AnswerLearner}, {@link
 * dev.abacus.optimizer.learning.OrderEvidence}, {@link dev.abacus.optimizer.learning.OrderLearner},
 * {@link dev.abacus.optimizer.learning.LiveLearner}. The same answers yield the same classifiers,
 * so a new leader that reads them again continues where its predecessor stopped.
 */
@NullMarked
package dev.abacus.optimizer.learning;

import org.jspecify.annotations.NullMarked;
