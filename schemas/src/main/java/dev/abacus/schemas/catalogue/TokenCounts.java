package dev.abacus.schemas.catalogue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Tokens of model calls, by kind.
 *
 * @param input tokens of prompts, including cached tokens
 * @param cachedInput tokens of prompts that endpoints served from their caches; at most {@code
 *     input}
 * @param output tokens of answers, including reasoning
 * @param reasoning hidden tokens of answers; at most {@code output}
 * @param estimated the part of {@code input + output} that the client counted, because the endpoint
 *     did not report it
 * @param stored input and output tokens of calls that the answer store saved; no part of the others
 */
public record TokenCounts(
    long input, long cachedInput, long output, long reasoning, long estimated, long stored) {

  /** No tokens. */
  public static final TokenCounts NONE = new TokenCounts(0, 0, 0, 0, 0);

  public TokenCounts {
    if (cachedInput < 0
        || cachedInput > input
        || reasoning < 0
        || reasoning > output
        || estimated < 0
        || estimated > input + output
        || stored < 0) {
      throw new IllegalArgumentException(
          "input %d, cached input %d, output %d, reasoning %d, estimated %d, stored %d tokens"
              .formatted(input, cachedInput, output, reasoning, estimated, stored));
    }
  }

  /** Tokens of calls that were made. */
  public TokenCounts(long input, long cachedInput, long output, long reasoning, long estimated) {
    this(input, cachedInput, output, reasoning, estimated, 0);
  }

  /** Tokens that the endpoint reported, without reasoning. */
  public static TokenCounts of(long input, long cachedInput, long output) {
    return new TokenCounts(input, cachedInput, output, 0, 0);
  }

  /** Tokens that the client counted. */
  public static TokenCounts estimated(long input, long output) {
    return new TokenCounts(input, 0, output, 0, input + output);
  }

  /** Tokens of calls that the answer store saved. */
  public static TokenCounts ofStored(long tokens) {
    return new TokenCounts(0, 0, 0, 0, 0, tokens);
  }

  /** Writes the counts, 8 bytes each; those of stored answers only if there are some. */
  public void write(DataOutputStream to) throws IOException {
    to.writeLong(input);
    to.writeLong(cachedInput);
    to.writeLong(output);
    to.writeLong(reasoning);
    to.writeLong(estimated);
    if (stored != 0) {
      to.writeLong(stored);
    }
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @param withStored whether it wrote counts of stored answers
   */
  public static TokenCounts read(DataInputStream from, boolean withStored) throws IOException {
    return new TokenCounts(
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        from.readLong(),
        withStored ? from.readLong() : 0);
  }

  /** Input and output. */
  @JsonIgnore
  public long total() {
    return input + output;
  }

  /** The sum by kind. */
  public TokenCounts plus(TokenCounts other) {
    return new TokenCounts(
        input + other.input,
        cachedInput + other.cachedInput,
        output + other.output,
        reasoning + other.reasoning,
        estimated + other.estimated,
        stored + other.stored);
  }

  /**
   * The share {@code part ÷ whole} of each kind, rounded down.
   *
   * @param part at most {@code whole}
   * @param whole positive
   */
  public TokenCounts share(long part, long whole) {
    double share = (double) part / whole;
    long inputShare = (long) (input * share);
    long outputShare = (long) (output * share);
    return new TokenCounts(
        inputShare,
        (long) (cachedInput * share),
        outputShare,
        (long) (reasoning * share),
        Math.min((long) (estimated * share), inputShare + outputShare),
        (long) (stored * share));
  }
}
