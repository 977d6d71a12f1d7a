package dev.abacus.optimizer.api;

/**
 * The tokens that one operator sends to and receives from a model, as a mean per source document.
 *
 * @param calls number of model calls
 * @param input input tokens of all calls, with instructions and schemas
 * @param output expected output tokens of all calls
 */
public record CallTokens(double calls, double input, double output) {

  /** No call. */
  public static final CallTokens NONE = new CallTokens(0, 0, 0);

  /** The component-wise sum. */
  public CallTokens plus(CallTokens other) {
    return new CallTokens(calls + other.calls, input + other.input, output + other.output);
  }

  /** Each component multiplied by {@code factor}. */
  public CallTokens times(double factor) {
    return new CallTokens(calls * factor, input * factor, output * factor);
  }
}
