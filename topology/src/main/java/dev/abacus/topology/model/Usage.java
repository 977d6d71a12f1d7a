package dev.abacus.topology.model;

/**
 * The tokens of one call.
 *
 * @param input tokens of the prompt, including cached tokens
 * @param cachedInput tokens of the prompt that the endpoint served from its cache; at most {@code
 *     input}
 * @param output tokens of the answer, including hidden reasoning
 * @param estimated whether the client counted the tokens because the endpoint did not report them
 */
public record Usage(long input, long cachedInput, long output, boolean estimated) {

  /** No tokens. */
  public static final Usage NONE = new Usage(0, 0, 0, false);

  public Usage {
    if (input < 0 || cachedInput < 0 || cachedInput > input || output < 0) {
      throw new IllegalArgumentException(
          "input %d, cached input %d, output %d tokens".formatted(input, cachedInput, output));
    }
  }
}
