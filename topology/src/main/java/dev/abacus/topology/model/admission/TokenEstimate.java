package dev.abacus.topology.model.admission;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ModelRequest;
import java.util.List;

/**
 * Estimates the tokens of a call from its characters, by the latest calls of the same model. Not
 * thread-safe.
 */
final class TokenEstimate {

  private static final double NEWEST = 0.1;
  private static final int CHARACTERS_PER_IMAGE = 4000;

  private double perCharacter = 0.3;
  private double output = 200;

  static long characters(ModelRequest request) {
    return request.system().length()
        + request.texts().mapToLong(String::length).sum()
        + request.media().count() * CHARACTERS_PER_IMAGE
        + (request.responseSchema() == null ? 0 : request.responseSchema().text().length());
  }

  static long characters(List<String> texts) {
    return texts.stream().mapToLong(String::length).sum();
  }

  long of(long characters) {
    return Math.max(1, Math.round(perCharacter * characters + output));
  }

  /** Learns from the usage of a call. */
  void learn(long characters, TokenCounts used) {
    if (characters > 0 && used.input() > 0) {
      perCharacter += NEWEST * ((double) used.input() / characters - perCharacter);
      output += NEWEST * (used.output() - output);
    }
  }
}
