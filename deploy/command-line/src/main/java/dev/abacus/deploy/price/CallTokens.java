package dev.abacus.deploy.price;

/**
 * What one operator asks of a model per source document, on average.
 *
 * @param calls of a model
 * @param input tokens of all of them, instructions and schemas included
 * @param output tokens that the answers are taken to have
 */
public record CallTokens(double calls, double input, double output) {

  static final CallTokens NONE = new CallTokens(0, 0, 0);

  CallTokens plus(CallTokens other) {
    return new CallTokens(calls + other.calls, input + other.input, output + other.output);
  }

  CallTokens times(double factor) {
    return new CallTokens(calls * factor, input * factor, output * factor);
  }
}
