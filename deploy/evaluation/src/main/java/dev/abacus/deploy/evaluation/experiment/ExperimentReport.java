package dev.abacus.deploy.evaluation.experiment;

import java.util.List;

/** The answer of the {@code experiment} command. */
record ExperimentReport(
    String policy, Object budget, String objective, List<TrialResult> runs, Summary summary) {}
