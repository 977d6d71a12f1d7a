package dev.abacus.optimizer.page.http;

import java.util.ArrayList;
import java.util.List;

/**
 * Someone who signs in with a token.
 *
 * @param steers whether changes are allowed, not only reading
 */
public record Visitor(String name, boolean steers, String token) {

  private static final int SHORTEST = 16;

  /**
   * Reads {@code NAME:read|steer:TOKEN}, separated by commas.
   *
   * @throws IllegalArgumentException if an entry has another form, or a token has less than 16
   *     characters; the message does not contain tokens
   */
  public static List<Visitor> parse(String text) {
    List<Visitor> visitors = new ArrayList<>();
    for (String entry : text.isBlank() ? new String[0] : text.strip().split("\\s*,\\s*")) {
      String[] parts = entry.split(":", 3);
      if (parts.length != 3
          || !parts[0].matches("[\\w.@-]+")
          || !parts[1].matches("read|steer")
          || parts[2].length() < SHORTEST) {
        throw new IllegalArgumentException(
            "each entry is NAME:read:TOKEN or NAME:steer:TOKEN, with at least %d characters of token"
                .formatted(SHORTEST));
      }
      visitors.add(new Visitor(parts[0], parts[1].equals("steer"), parts[2]));
    }
    return List.copyOf(visitors);
  }
}
