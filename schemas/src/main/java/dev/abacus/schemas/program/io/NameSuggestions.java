package dev.abacus.schemas.program.io;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.jspecify.annotations.Nullable;

/** Suggests the nearest valid name for an unknown one, by Levenshtein distance. */
public final class NameSuggestions {

  private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

  private NameSuggestions() {}

  /** The nearest valid name, or null if none is similar. */
  public static @Nullable String closest(String written, Collection<String> valid) {
    int close = Math.max(2, written.length() / 2);
    return valid.stream()
        .filter(name -> distance(written, name) <= close)
        .min(
            Comparator.comparingInt((String name) -> distance(written, name))
                .thenComparing(name -> name))
        .orElse(null);
  }

  /** "unknown KIND 'x'; did you mean 'y'? There are a, b, c". */
  public static String unknown(String kind, String written, Collection<String> valid) {
    String nearest = closest(written, valid);
    return "unknown %s '%s'; %sthere are %s"
        .formatted(
            kind,
            written,
            nearest == null ? "" : "did you mean '" + nearest + "'? ",
            valid.isEmpty() ? "none" : String.join(", ", valid));
  }

  private static int distance(String a, String b) {
    return DISTANCE.apply(a.toLowerCase(Locale.ROOT), b.toLowerCase(Locale.ROOT));
  }
}
