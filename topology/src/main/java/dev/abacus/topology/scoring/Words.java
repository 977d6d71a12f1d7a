package dev.abacus.topology.scoring;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Texts as sets of words, as CUAD compares them: lower case, "/" as a space, punctuation removed.
 */
final class Words {

  private static final Pattern WORD = Pattern.compile("[^\\s\\p{Z}]+");
  private static final Pattern PUNCTUATION = Pattern.compile("[\\p{P}\\p{S}]");

  private Words() {}

  static Set<String> of(String text) {
    String spaced = text.toLowerCase(Locale.ROOT).replace('/', ' ');
    String plain = PUNCTUATION.matcher(spaced).replaceAll("");
    return WORD.matcher(plain)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** Size of the intersection over size of the union; 1 if both are empty. */
  static double jaccard(Set<String> some, Set<String> others) {
    Set<String> common = new HashSet<>(some);
    common.retainAll(others);
    int union = some.size() + others.size() - common.size();
    return union == 0 ? 1 : (double) common.size() / union;
  }
}
