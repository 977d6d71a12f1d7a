package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the {@code experiment} command.
 *
 * @param paper the searches of policy {@code paper} for as many dollars; null if not asked for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ExperimentReport(
    String policy,
    Object budget,
    String objective,
    List<TrialResult> runs,
    Summary summary,
    @Nullable Summary paper) {}
