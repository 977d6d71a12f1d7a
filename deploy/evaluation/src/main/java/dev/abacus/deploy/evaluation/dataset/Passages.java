package dev.abacus.deploy.evaluation.dataset;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the sentence of a text that says something: verbatim, as evidence has to be. */
final class Passages {

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+|\\R+");
  private static final int SHORT_WORD = 3;

  private final List<String> sentences;

  /** The passages of a text. */
  Passages(String text) {
    this.sentences =
        SENTENCE_END.splitAsStream(text).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  /** Whether a sentence has the phrase literally, case aside. */
  boolean hold(String phrase) {
    return sentences.stream().anyMatch(sentence -> has(sentence, phrase));
  }

  /**
   * The first sentence that has the phrase literally; else the one that has most of its longer
   * words, the first of several; an empty text if none has any.
   */
  String about(String phrase) {
    Set<String> wanted = words(phrase);
    String best = "";
    long most = 0;
    for (String sentence : sentences) {
      if (has(sentence, phrase)) {
        return sentence;
      }
      Set<String> words = words(sentence);
      long common = wanted.stream().filter(words::contains).count();
      if (common > most) {
        most = common;
        best = sentence;
      }
    }
    return best;
  }

  /** The first sentence, or an empty text. */
  String first() {
    return sentences.isEmpty() ? "" : sentences.getFirst();
  }

  /** All sentences in which the pattern is found. */
  Stream<String> matching(Pattern pattern) {
    return sentences.stream().filter(sentence -> pattern.matcher(sentence).find());
  }

  private static boolean has(String sentence, String phrase) {
    return sentence.toLowerCase(Locale.ROOT).contains(phrase.toLowerCase(Locale.ROOT));
  }

  private static Set<String> words(String text) {
    Set<String> words =
        new HashSet<>(Arrays.asList(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1)));
    words.removeIf(word -> word.length() <= SHORT_WORD);
    return words;
  }
}
