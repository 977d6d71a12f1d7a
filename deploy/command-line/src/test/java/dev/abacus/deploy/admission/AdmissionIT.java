package dev.abacus.deploy.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.limit.RateLimit.Algorithm;
import dev.abacus.schemas.control.ModelWait.Cause;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers over an endpoint that limits its rate use the limit up and keep it: no document becomes a
 * dead letter, and none is paid for twice.
 */
@Tag("measured") // the rate is measured
class AdmissionIT {

  private static final int PER_MINUTE = 2400;
  private static final Duration WINDOW = Duration.ofSeconds(3);

  /** Answers over which a rate is measured: three windows. */
  private static final int MEASURED = 360;

  @TempDir Path folder;

  @Test
  void workersUseALimitTogetherAndKeepIt() throws Exception {
    RateLimit limit =
        RateLimit.NONE.withRequestsPerMinute(PER_MINUTE).withWindowMs(WINDOW.toMillis());
    SimulatorOptions endpoint =
        SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(200)).withApiKey(Site.KEY);
    try (Site site = new Site(folder, endpoint.withRateLimit(limit))) {
      site.startWorker("worker-1");
      // The first documents let the worker join its group and learn the limit, and empty the
      // bucket.
      site.send(300);
      site.untilAllResults();
      site.send(600);
      assertThat(rate(site, "1 worker, token bucket")).isGreaterThan(0.9 * PER_MINUTE);

      site.startWorker("worker-2");
      site.until(
          "two workers that wait for the limit",
          () -> {
            site.backlog(500);
            return site.waitingInstances(Cause.RATE_LIMIT) == 2;
          });
      site.untilAnswers(PER_MINUTE / 20);
      site.backlog(700);
      assertThat(rate(site, "2 workers, token bucket")).isGreaterThan(0.9 * PER_MINUTE);

      site.endpoint.state().limiter().change(limit.withAlgorithm(Algorithm.FIXED_WINDOW));
      site.backlog(500);
      // A window that begins with the change allows its whole share once more.
      site.untilAnswers(PER_MINUTE / 20);
      site.backlog(700);
      assertThat(rate(site, "2 workers, fixed window")).isGreaterThan(0.9 * PER_MINUTE);

      site.untilAllResults();
      System.out.printf("FIGURES %d of %d calls refused%n", site.refused(), site.calls());
      assertThat((double) site.refused() / site.calls()).as("refused").isLessThanOrEqualTo(0.01);
      assertThat(site.deadLetters).isEmpty();
      assertThat(new HashSet<>(site.results)).hasSize(site.sent());
      assertThat(site.results).hasSize(site.sent());
      assertThat(site.answersBeyondTheFirst()).as("requests that were paid for twice").isZero();
    }
  }

  /** The answers per minute of the endpoint, over the next answers. */
  private static double rate(Site site, String run) {
    long first = site.answers();
    long start = System.nanoTime();
    site.untilAnswers(MEASURED);
    double rate = (site.answers() - first) * 60e9 / (System.nanoTime() - start);
    System.out.printf("FIGURES %s: %.0f a minute of %d%n", run, rate, PER_MINUTE);
    return rate;
  }
}
