package dev.abacus.optimizer.api;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The tokens that one operator sends to and receives from a model, as a mean per source document.
 *
 * @param calls number of model calls
 * @param input input tokens of all calls, with instructions and schemas
 * @param output expected output tokens of all calls
 * @param choice input tokens of one call that chooses among items of a reference, shown one of them
 * @param item input tokens of each further item that this call shows
 */
public record CallTokens(
    double calls, double input, double output, @JsonIgnore double choice, @JsonIgnore double item) {

  /** No call. */
  public static final CallTokens NONE = new CallTokens(0, 0, 0);

  /** The tokens of an operator that chooses among no items. */
  public CallTokens(double calls, double input, double output) {
    this(calls, input, output, 0, 0);
  }

  /** The component-wise sum. */
  public CallTokens plus(CallTokens other) {
    return new CallTokens(
        calls + other.calls,
        input + other.input,
        output + other.output,
        choice + other.choice,
        item + other.item);
  }

  /** Each component multiplied by {@code factor}. */
  public CallTokens times(double factor) {
    return new CallTokens(
        calls * factor, input * factor, output * factor, choice * factor, item * factor);
  }

  /** One call that chooses among k items, in place of these; as long an answer as one of them. */
  CallTokens choosing(int k) {
    return calls == 0
        ? NONE
        : new CallTokens(
            Math.min(1, calls), choice + (k - 1) * item, output / calls * Math.min(1, calls));
  }
}
