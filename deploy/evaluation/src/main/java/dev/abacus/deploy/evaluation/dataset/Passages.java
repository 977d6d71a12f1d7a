package dev.abacus.deploy.evaluation.dataset;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds sentences of a text as verbatim evidence. */
final class Passages {

  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])\\s+|\\R+");
  private static final int SHORT_WORD = 3;

  private final List<String> sentences;

  /** Splits a text into sentences. */
  Passages(String text) {
    this.sentences =
        SENTENCE_END.splitAsStream(text).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  /** Returns whether a sentence contains the phrase; ignores case. */
  boolean contain(String phrase) {
    return sentences.stream().anyMatch(sentence -> has(sentence, phrase));
  }

  /**
   * Returns the first sentence that contains the phrase, else the first sentence with most of its
   * words of four or more characters, else an empty text.
   */
  String bestMatch(String phrase) {
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

  /** Returns the first sentence, or an empty text. */
  String first() {
    return sentences.isEmpty() ? "" : sentences.getFirst();
  }

  /** Returns all sentences that the pattern matches. */
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
