package dev.abacus.schemas.program.io;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;

/** Suggests the nearest valid name for an unknown one, by Levenshtein distance. */
public final class NameSuggestions {

  private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

  /** More names are no help. */
  private static final int MOST_NAMES = 40;

  private NameSuggestions() {}

  /** The nearest valid name, or null if none is similar. */
  public static @Nullable String closest(String written, Collection<String> valid) {
    int close = Math.max(2, written.length() / 2);
    return valid.stream()
        .filter(name -> Math.abs(written.length() - name.length()) <= close)
        .filter(name -> distance(written, name) <= close)
        .min(
            Comparator.comparingInt((String name) -> distance(written, name))
                .thenComparing(name -> name))
        .orElse(null);
  }

  /** "unknown KIND 'x'; did you mean 'y'? There are a, b, c"; of many names, the first ones. */
  public static String unknown(String kind, String written, Collection<String> valid) {
    String nearest = closest(written, valid);
    return "unknown %s '%s'; %sthere are %s"
        .formatted(
            kind,
            written,
            nearest == null ? "" : "did you mean '" + nearest + "'? ",
            valid.isEmpty() ? "none" : listed(valid));
  }

  private static String listed(Collection<String> valid) {
    String first = valid.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
    int others = valid.size() - MOST_NAMES;
    return others > 0 ? first + " and " + others + " others" : first;
  }

  private static int distance(String a, String b) {
    return DISTANCE.apply(a.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT));
  }
}
