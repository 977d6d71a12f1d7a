package dev.abacus.topology.model;

/**
 * Tokens of one call.
 *
 * @param input tokens of the prompt, cached ones included
 * @param cachedInput those of the prompt that the endpoint served from its cache
 * @param output tokens of the answer, hidden reasoning included
 * @param estimated whether we counted, because the endpoint did not say
 */
public record Usage(long input, long cachedInput, long output, boolean estimated) {

  /** Nothing was used, or nothing is known to have been. */
  public static final Usage NONE = new Usage(0, 0, 0, false);

  public Usage {
    if (input < 0 || cachedInput < 0 || cachedInput > input || output < 0) {
      throw new IllegalArgumentException(
          "input %d, of it cached %d, output %d tokens".formatted(input, cachedInput, output));
    }
  }
}
