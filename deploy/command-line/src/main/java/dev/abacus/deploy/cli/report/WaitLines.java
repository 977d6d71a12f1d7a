package dev.abacus.deploy.cli.report;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the models that the calls of a program wait for. */
public final class WaitLines {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss").withZone(ZoneOffset.UTC);

  private WaitLines() {}

  /**
   * One line per model that calls of this instance wait for.
   *
   * @param now time of the reader
   */
  public static List<String> of(InstanceStatus instance, Instant now) {
    return instance.waits().stream()
        .map(wait ->
            "%s: %d %s for %s since %s, %s: %s%s"
                .formatted(
                    instance.instance(),
                    wait.waitingCalls(),
                    wait.waitingCalls() == 1 ? "call waits" : "calls wait",
                    wait.model(),
                    TIME.format(wait.since()),
                    next(wait.until(), now),
                    wait.message(),
                    remedy(wait)))
        .toList();
  }

  private static String next(@Nullable Instant until, Instant now) {
    if (until == null) {
      return "a probe is in progress";
    }
    if (!until.isAfter(now)) {
      return "next attempt is due";
    }
    long seconds = Duration.between(now, until).toSeconds();
    return "next attempt at %s UTC (in %d s)".formatted(TIME.format(until), seconds);
  }

  private static String remedy(ModelWait wait) {
    return switch (wait.cause()) {
      case QUOTA -> "; add credit to the account, then run `abacus resume`";
      case AUTHENTICATION ->
          "; restore the key, then run `abacus resume`, or restart the worker with another key";
      case UNKNOWN_MODEL ->
          "; deploy the model, or change its card in the catalogue and restart the worker";
      case RATE_LIMIT, SERVER_ERROR, TIMEOUT, CONNECTION -> "";
    };
  }
}
