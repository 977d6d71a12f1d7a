package dev.abacus.deploy.simulator.tokens;

import dev.abacus.deploy.simulator.skill.KeyedRandom;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Embeds a text as a hashed bag of words and character trigrams, of unit length. Texts that share
 * words or word stems are similar; synonyms are not.
 */
public record HashedEmbedding(int dimensions) {

  private static final double PIECE_WEIGHT = 0.3;
  private static final double STOP_WEIGHT = 0.15;
  private static final Set<String> STOP_WORDS =
      Set.of(
          "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "can", "did", "do",
          "does", "for", "from", "had", "has", "have", "he", "her", "his", "how", "i", "if", "in",
          "is", "it", "its", "me", "my", "not", "of", "on", "or", "our", "shall", "she", "so",
          "such", "that", "the", "their", "there", "they", "this", "to", "was", "we", "were",
          "what", "when", "which", "who", "why", "will", "with", "would", "you", "your");

  /** Embeds a text; a text without words gets the first unit vector. */
  public float[] embed(String text) {
    double[] sum = new double[dimensions];
    for (Map.Entry<String, Integer> word : words(text).entrySet()) {
      double weight = 1 + Math.log(word.getValue());
      add(sum, word.getKey(), STOP_WORDS.contains(word.getKey()) ? weight * STOP_WEIGHT : weight);
    }
    return unit(sum);
  }

  private static Map<String, Integer> words(String text) {
    Map<String, Integer> words = new HashMap<>();
    String lower = text.toLowerCase(Locale.ROOT);
    int from = -1;
    for (int i = 0; i <= lower.length(); i++) {
      boolean letter = i < lower.length() && Character.isLetterOrDigit(lower.charAt(i));
      if (letter && from < 0) {
        from = i;
      } else if (!letter && from >= 0) {
        words.merge(lower.substring(from, i), 1, Integer::sum);
        from = -1;
      }
    }
    return words;
  }

  private void add(double[] sum, String word, double weight) {
    addFeature(sum, KeyedRandom.hash(word), weight);
    String marked = "^" + word + "$";
    for (int i = 0; i + 3 <= marked.length(); i++) {
      addFeature(sum, KeyedRandom.hash(marked.substring(i, i + 3)) + 1, weight * PIECE_WEIGHT);
    }
  }

  /**
   * Each feature has two positions with independent signs, which limits the effect of collisions.
   */
  private void addFeature(double[] sum, long hash, double weight) {
    long first = KeyedRandom.mix(hash);
    long second = KeyedRandom.mix(hash + 7);
    sum[(int) Long.remainderUnsigned(first >>> 1, dimensions)] +=
        (first & 1) == 0 ? weight : -weight;
    sum[(int) Long.remainderUnsigned(second >>> 1, dimensions)] +=
        (second & 1) == 0 ? weight : -weight;
  }

  private float[] unit(double[] sum) {
    double square = 0;
    for (double value : sum) {
      square += value * value;
    }
    float[] unit = new float[dimensions];
    if (square == 0) {
      unit[0] = 1;
      return unit;
    }
    double length = Math.sqrt(square);
    for (int i = 0; i < dimensions; i++) {
      unit[i] = (float) (sum[i] / length);
    }
    return unit;
  }
}
