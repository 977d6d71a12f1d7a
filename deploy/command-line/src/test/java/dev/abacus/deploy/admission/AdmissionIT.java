package dev.abacus.deploy.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.limit.RateLimit.Algorithm;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus.ModelWait;
import dev.abacus.schemas.control.InstanceStatus.ModelWait.Cause;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Documents on a real broker, over an endpoint that limits its rate or fails in mid-stream: none
 * becomes a dead letter, and none is paid for twice.
 */
class AdmissionIT {

  private static final SimulatorOptions ENDPOINT =
      SimulatorOptions.DEFAULTS.withLatency(Duration.ofMillis(200)).withApiKey(Site.KEY);

  @TempDir Path folder;

  private static void assertNothingLostOrPaidTwice(Site site) {
    assertThat(site.deadLetters).isEmpty();
    assertThat(new HashSet<>(site.results)).hasSize(site.sent());
    assertThat(site.results).hasSize(site.sent());
    assertThat(site.answersBeyondTheFirst()).as("requests that were paid for twice").isZero();
  }

  @ParameterizedTest
  @CsvSource({"1, TOKEN_BUCKET", "2, TOKEN_BUCKET", "2, FIXED_WINDOW"})
  void workersUseALimitTogetherAndKeepIt(int workers, Algorithm algorithm) throws Exception {
    int perMinute = 2400;
    RateLimit limit =
        RateLimit.NONE
            .withRequestsPerMinute(perMinute)
            .withAlgorithm(algorithm)
            .withWindow(Duration.ofSeconds(10));
    try (Site site = new Site(folder, ENDPOINT.withRateLimit(limit))) {
      for (int i = 1; i <= workers; i++) {
        site.startWorker("worker-" + i);
      }
      // The first documents let the workers join their groups and learn the limit.
      site.send(60);
      site.untilAllResults();
      site.send(1000);
      site.until("results at the limit", () -> site.results.size() >= 160);
      int first = site.results.size();
      long start = System.nanoTime();
      site.until("results at the limit", () -> site.results.size() >= 1000);
      double rate = (site.results.size() - first) * 60e9 / (System.nanoTime() - start);
      site.untilAllResults();

      System.out.printf(
          "%d workers, %s: %.0f a minute of %d, %d of %d calls refused%n",
          workers, algorithm, rate, perMinute, site.refused(), site.calls());
      assertNothingLostOrPaidTwice(site);
      assertThat(rate).as("results per minute").isGreaterThan(0.95 * perMinute);
      assertThat((double) site.refused() / site.calls()).as("refused").isLessThanOrEqualTo(0.01);
    }
  }

  @Test
  void documentsWaitForCreditForTheirKeyAndForTheirEndpoint() throws Exception {
    try (Site site = new Site(folder, ENDPOINT)) {
      site.startWorker("worker-1");
      site.send(20);
      site.untilAllResults();

      site.endpoint.state().account().setBalance(0.0);
      site.send(60);
      untilWaiting(site, Cause.QUOTA, 60);
      site.endpoint.state().account().setBalance(null);
      site.control(new ControlRecord.Paused(Site.PROGRAM, false));
      site.untilAllResults();

      site.endpoint.state().changeKey("sk-other");
      site.send(60);
      untilWaiting(site, Cause.AUTHENTICATION, 60);
      site.endpoint.state().changeKey(Site.KEY);
      site.untilAllResults(); // without a resume
      assertThat(site.refused()).as("probes, and calls in flight").isLessThan(180);
      assertNothingLostOrPaidTwice(site);

      int port = site.stopEndpoint();
      site.send(60);
      untilWaiting(site, Cause.CONNECTION, 60);
      site.startEndpoint(ENDPOINT, port);
      site.untilAllResults();
      assertThat(site.deadLetters).isEmpty();
      assertThat(new HashSet<>(site.results)).hasSize(200);
      assertThat(site.results).hasSize(200);
      assertThat(site.answersBeyondTheFirst()).as("requests that were paid for twice").isZero();
    }
  }

  private static void untilWaiting(Site site, Cause cause, long calls) {
    site.until(
        "wait for " + cause,
        () ->
            site.waits().stream()
                    .filter(wait -> wait.cause() == cause && wait.model().equals(Site.MODEL))
                    .mapToLong(ModelWait::waitingCalls)
                    .sum()
                >= calls - 1);
  }
}
