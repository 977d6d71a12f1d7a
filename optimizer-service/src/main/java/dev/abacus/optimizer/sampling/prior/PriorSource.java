package dev.abacus.optimizer.sampling.prior;

import java.util.Arrays;
import java.util.Locale;

/** Where priors come from, where a user has given none. */
public enum PriorSource {
  /** What other programs on the cluster have learnt of the same models and techniques. */
  LEARNT,
  /** What is published of models: quality, prices and times of tokens. */
  NAIVE;

  /** The name users write. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of all of them. */
  public static String[] labels() {
    return Arrays.stream(values()).map(PriorSource::label).toArray(String[]::new);
  }

  /**
   * The source of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists those there are
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
