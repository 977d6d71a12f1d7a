package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;

/** One implementation with its true means. */
record LandscapeArm(Arm arm, OperatorEstimate truth) {}
