package dev.abacus.topology.journey;

import dev.abacus.schemas.document.Media;
import dev.abacus.topology.model.Content;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Redacts and shortens the texts of journeys.
 *
 * @param recorded whether texts are recorded at all
 * @param hidden matches are replaced by {@value #HIDDEN}; null to replace nothing
 */
public record JourneyTexts(boolean recorded, @Nullable Pattern hidden) {

  /** Stands in place of a match. */
  static final String HIDDEN = "[hidden]";

  /** Characters of a text that are kept. */
  static final int LONGEST = 4_000;

  /**
   * Further characters that are searched, so that no beginning of a match stays at the end of a
   * shortened text if the match is not longer than this.
   */
  private static final int MARGIN = 1_000;

  private static final int SEARCHED = LONGEST + MARGIN;

  /** The part of a text that {@link #shown} needs. */
  static String captured(String text) {
    return text.length() <= SEARCHED ? text : text.substring(0, SEARCHED);
  }

  /** The part of a message that {@link #shown} needs. */
  static String captured(List<Content> message) {
    StringBuilder text = new StringBuilder();
    for (Content part : message) {
      if (text.length() >= SEARCHED) {
        break;
      }
      if (!text.isEmpty()) {
        text.append('\n');
      }
      switch (part) {
        case Content.Text plain -> text.append(captured(plain.text()));
        case Content.Attachment(Media.Reference file) ->
            text.append(captured("[%s %s]".formatted(file.noun(), file.uri())));
        case Content.Attachment(Media.Content file) ->
            text.append("[%s %s]".formatted(file.noun(), file.mediaType()));
      }
    }
    return captured(text.toString());
  }

  /** A text as a journey shows it. */
  String shown(String text) {
    if (!recorded) {
      return "";
    }
    String part = captured(text);
    String redacted = hidden == null ? part : hidden.matcher(part).replaceAll(HIDDEN);
    int kept = text.length() < SEARCHED ? redacted.length() : redacted.length() - MARGIN;
    int end = Math.max(0, Math.min(LONGEST, kept));
    return end == redacted.length() ? redacted : redacted.substring(0, end) + "…";
  }
}
