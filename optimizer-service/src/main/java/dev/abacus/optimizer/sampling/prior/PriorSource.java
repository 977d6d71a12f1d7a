package dev.abacus.optimizer.sampling.prior;

import java.util.Arrays;
import java.util.Locale;

/** Sources of priors for programs without priors of a user. */
public enum PriorSource {
  /** What the searches for other programs of the cluster have learned. */
  LEARNT,
  /** Published data of models: benchmark quality, token prices and token times. */
  NAIVE;

  /** The name in settings. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** All names. */
  public static String[] labels() {
    return Arrays.stream(values()).map(PriorSource::label).toArray(String[]::new);
  }

  /**
   * The source of a name.
   *
   * @throws IllegalArgumentException if the name is unknown; the message lists the known ones
   */
  public static PriorSource ofLabel(String label) {
    return Arrays.stream(values())
        .filter(source -> source.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no source of priors '%s'; there are %s"
                    .formatted(label, Arrays.asList(labels()))));
  }
}
