/**
 * The public face of the optimizer. The command line uses this package only; all other packages of
 * the module are internal.
 *
 * <p>Read by purpose:
 *
 * <ul>
 *   <li>Run the control plane: {@link dev.abacus.optimizer.api.OptimizerService} with {@link
 *       dev.abacus.optimizer.api.OptimizerConfig}; {@link dev.abacus.optimizer.api.PolicyName} has
 *       the sampling policies.
 *   <li>Show the search space: {@link dev.abacus.optimizer.api.SearchSpace}.
 *   <li>Choose a plan from estimates: {@link dev.abacus.optimizer.api.ProgramEstimates}, which
 *       answers with a {@link dev.abacus.optimizer.api.SearchReport}.
 *   <li>Make and check priors: {@link dev.abacus.optimizer.api.ProgramPriors} and {@link
 *       dev.abacus.optimizer.api.LearnedOperators}.
 * </ul>
 */
@NullMarked
package dev.abacus.optimizer.api;

import org.jspecify.annotations.NullMarked;
