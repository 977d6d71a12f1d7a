package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import org.jspecify.annotations.Nullable;

/**
 * One implementation with its true means.
 *
 * @param naive what would be believed of it without any sample; null if the file does not say
 */
record LandscapeArm(Arm arm, OperatorEstimate truth, @Nullable OperatorEstimate naive) {}
