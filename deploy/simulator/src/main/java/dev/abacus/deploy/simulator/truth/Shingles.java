package dev.abacus.deploy.simulator.truth;

import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.Arrays;

/** Hashes of five consecutive words, which identify a piece of a document. */
final class Shingles {

  private static final int WORDS = 5;

  private Shingles() {}

  /**
   * The shingles of a text in order. A text of fewer than five words is one shingle; a text without
   * words has none.
   */
  static long[] of(String text) {
    long[] words = words(text);
    if (words.length == 0) {
      return words;
    }
    if (words.length < WORDS) {
      return new long[] {combine(words, 0, words.length)};
    }
    long[] shingles = new long[words.length - WORDS + 1];
    for (int i = 0; i < shingles.length; i++) {
      shingles[i] = combine(words, i, i + WORDS);
    }
    return shingles;
  }

  private static long combine(long[] words, int from, int to) {
    long hash = (long) to - from;
    for (int i = from; i < to; i++) {
      hash = hash * 0x5851F42D4C957F2DL + words[i];
    }
    return KeyedRandom.mix(hash);
  }

  private static long[] words(String text) {
    long[] words = new long[text.length() / 4 + 8];
    int count = 0;
    long hash = 0;
    boolean inside = false;
    for (int i = 0; i <= text.length(); i++) {
      boolean letter = i < text.length() && Character.isLetterOrDigit(text.charAt(i));
      if (letter) {
        hash = (hash ^ Character.toLowerCase(text.charAt(i))) * 0x100000001B3L;
        inside = true;
      } else if (inside) {
        if (count == words.length) {
          words = Arrays.copyOf(words, count * 2);
        }
        words[count++] = hash;
        hash = 0;
        inside = false;
      }
    }
    return Arrays.copyOf(words, count);
  }
}
