package dev.abacus.topology.scoring;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Texts as sets of words, normalized as in CUAD: lower case, "/" as a space, no punctuation. */
final class WordSets {

  private static final Pattern WORD = Pattern.compile("[^\\s\\p{Z}]+");
  private static final Pattern PUNCTUATION = Pattern.compile("[\\p{P}\\p{S}]");

  private WordSets() {}

  static Set<String> of(String text) {
    String spaced = text.toLowerCase(Locale.ROOT).replace('/', ' ');
    String plain = PUNCTUATION.matcher(spaced).replaceAll("");
    return WORD.matcher(plain)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** The size of the intersection divided by the size of the union; 1 if both are empty. */
  static double jaccard(Set<String> first, Set<String> second) {
    Set<String> common = new HashSet<>(first);
    common.retainAll(second);
    int union = first.size() + second.size() - common.size();
    return union == 0 ? 1 : (double) common.size() / union;
  }
}
