package dev.abacus.deploy.evaluation.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.Run;
import dev.abacus.deploy.evaluation.flow.LimitsCommand.Endpoint;
import dev.abacus.deploy.evaluation.flow.LimitsCommand.Use;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("measured") // throughput is measured
class LimitsCommandIT {

  /**
   * A short run beside whatever else the machine does, so the bounds are wide. A limiter that takes
   * scattered refusals for a limit gets a tenth and less, and one that learns no limit has half of
   * its calls refused.
   */
  @Test
  void aWorkerTellsALimitFromScatteredRefusals() throws Exception {
    List<Use> uses =
        Run.command(
                new LimitsCommand(), "--only=SCATTERED_REFUSALS,LIMIT_UNSTATED", "--seconds=12s")
            .measure();

    assertThat(uses)
        .extracting(Use::endpoint)
        .containsExactly(Endpoint.UNLIMITED, Endpoint.SCATTERED_REFUSALS, Endpoint.LIMIT_UNSTATED);
    assertThat(uses.get(1).ratioToIdeal())
        .as("other processes of the machine change both throughputs: %s", uses)
        .isGreaterThan(0.5);
    assertThat(uses.get(1).refusedShare()).isBetween(0.02, 0.06);
    assertThat(uses.get(2).ratioToIdeal()).as("%s", uses).isGreaterThan(0.5);
    assertThat(uses.get(2).refusedShare()).as("%s", uses).isLessThan(0.2);
  }
}
