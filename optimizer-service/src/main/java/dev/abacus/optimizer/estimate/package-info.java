/**
 * From evidence to beliefs. {@link dev.abacus.optimizer.estimate.Evidence} goes in and is never
 * changed; a {@link dev.abacus.optimizer.estimate.Belief} about an implementation comes out, for
 * live documents, and nothing corrects it afterwards.
 *
 * <h2>Model</h2>
 *
 * <pre>
 *   evidence  ──estimator──▶  measurement  ──model of all implementations──▶  belief
 *   + context                 of a live document                              mean, random effects
 * </pre>
 *
 * <p>The {@link dev.abacus.optimizer.estimate.OperatorContext} says what live documents are like.
 * An {@link dev.abacus.optimizer.estimate.Estimator} of the family of the scores says what the
 * evidence of an implementation together is worth; each piece then is a {@link
 * dev.abacus.optimizer.estimate.Measurement} whose mean is this estimate. The sampling policy takes
 * measurements for the sum of random effects (implementation, example, model and example, call,
 * judge, noise) and shrinks them to each other; its beliefs are linear in the measurements, so
 * their errors are linear in the effects ({@link dev.abacus.optimizer.estimate.Loadings}), and any
 * two beliefs have a covariance.
 *
 * <h2>Families</h2>
 *
 * <table>
 *   <caption>Estimators and their sources</caption>
 *   <tr><th>evidence</th><th>estimate</th><th>source</th></tr>
 *   <tr><td>graded scores, proportions</td><td>mean; the variance of a proportion has two more
 *       successes and failures</td><td>Agresti and Coull 1998</td></tr>
 *   <tr><td>decisions of a filter</td><td>metric of the shares of right decisions of both classes,
 *       at the share of documents to keep of all labels</td><td>post-stratification (Holt and Smith
 *       1979), Jeffreys' prior</td></tr>
 *   <tr><td>pairs, some for many</td><td>expected score over the number of wrong matches</td>
 *       <td>Gamma-Poisson shrinkage</td></tr>
 *   <tr><td>rows that stand for several</td><td>ratio of weighted sums</td><td>Hájek 1971</td></tr>
 *   <tr><td>cost and latency</td><td>mean at the size of live documents, the fill of their calls
 *       and the hit rate of prompt caches</td><td>control variate</td></tr>
 *   <tr><td>judged live outputs</td><td>mean, with the judge's score as control variate</td>
 *       <td>prediction-powered inference (Angelopoulos et al. 2023)</td></tr>
 *   <tr><td>implementations</td><td>best linear unbiased prediction</td><td>Robinson 1991</td></tr>
 * </table>
 *
 * <h2>Derived evidence</h2>
 *
 * <p>What a classifier would have answered follows from a fit without the example ({@link
 * dev.abacus.optimizer.estimate.Evidence.Lineage}). It is computed anew with each decision.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.estimate.Evidence}, {@link
 * dev.abacus.optimizer.estimate.OperatorEvidence}, {@link dev.abacus.optimizer.estimate.Estimator}
 * and {@link dev.abacus.optimizer.estimate.Amounts}; {@link
 * dev.abacus.optimizer.estimate.RandomEffect}, {@link dev.abacus.optimizer.estimate.Loadings} and
 * {@link dev.abacus.optimizer.estimate.Belief}; {@link
 * dev.abacus.optimizer.estimate.CostUncertainty} for plans. {@link
 * dev.abacus.optimizer.estimate.EvidenceSource} adds a kind of evidence.
 */
@NullMarked
package dev.abacus.optimizer.estimate;

import org.jspecify.annotations.NullMarked;
