/**
 * The public face of the optimizer: what the command line and other modules use. All other packages
 * of this module are internal.
 *
 * <p>Read {@link dev.abacus.optimizer.api.OptimizerService}, which runs the control plane, and
 * {@link dev.abacus.optimizer.api.OptimizerConfig} with its settings. {@link
 * dev.abacus.optimizer.api.PolicyName} names the sampling policies. {@link
 * dev.abacus.optimizer.api.SearchJson} searches plans over estimates, from JSON to JSON; {@link
 * dev.abacus.optimizer.api.EstimatesJson} reads the estimates.
 */
@NullMarked
package dev.abacus.optimizer.api;

import org.jspecify.annotations.NullMarked;
