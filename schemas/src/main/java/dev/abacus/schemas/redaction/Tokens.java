package dev.abacus.schemas.redaction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.redaction.PersonalData.Span;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The tokens of one document and the values that they stand for. */
final class Tokens {

  private static final Pattern TOKEN =
      Pattern.compile(
          Stream.of(PersonalData.values())
              .map(Enum::name)
              .collect(Collectors.joining("|", "\\[(?:", ")_[1-9][0-9]{0,8}\\]")));

  private final Redaction redaction;

  /** Texts of the document that look like tokens and are none. */
  private final Set<String> taken;

  private final Map<JsonNode, String> tokens = new HashMap<>();
  private final Map<String, JsonNode> values = new HashMap<>();
  private final Map<PersonalData, Integer> numbers = new EnumMap<>(PersonalData.class);

  private Tokens(Redaction redaction, Set<String> taken) {
    this.redaction = redaction;
    this.taken = taken;
  }

  /** No tokens yet, for the values of a document. */
  static Tokens of(Redaction redaction, Document document) {
    Set<String> taken =
        TOKEN
            .matcher(document.toString())
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toUnmodifiableSet());
    return new Tokens(redaction, taken);
  }

  boolean isEmpty() {
    return values.isEmpty();
  }

  private record Found(PersonalData kind, Span span) {}

  /** The text with tokens. */
  String hide(String text) {
    List<Found> found = new ArrayList<>();
    BitSet covered = new BitSet();
    for (PersonalData kind : redaction.kinds()) {
      for (Span span : kind.find(text, redaction.regions())) {
        if (covered.get(span.start(), span.end()).isEmpty()) {
          covered.set(span.start(), span.end());
          found.add(new Found(kind, span));
        }
      }
    }
    found.sort(Comparator.comparingInt(one -> one.span.start()));
    StringBuilder hidden = new StringBuilder();
    int end = 0;
    for (Found one : found) {
      String value = text.substring(one.span.start(), one.span.end());
      hidden.append(text, end, one.span.start()).append(token(one.kind, TextNode.valueOf(value)));
      end = one.span.end();
    }
    return hidden.append(text, end, text.length()).toString();
  }

  /** A text with tokens; a whole number, or the token of a card. */
  JsonNode hidden(JsonNode value) {
    if (value.isTextual()) {
      return TextNode.valueOf(hide(value.textValue()));
    }
    boolean card =
        redaction.kinds().contains(PersonalData.CARD)
            && !PersonalData.CARD.find(value.asText(), List.of()).isEmpty();
    return card ? TextNode.valueOf(token(PersonalData.CARD, value)) : value;
  }

  private String token(PersonalData kind, JsonNode value) {
    return tokens.computeIfAbsent(
        value,
        _ -> {
          String token;
          do {
            token = "[%s_%d]".formatted(kind.name(), numbers.merge(kind, 1, Integer::sum));
          } while (taken.contains(token));
          values.put(token, value);
          return token;
        });
  }

  /** The text with the values. */
  String show(String text) {
    return TOKEN
        .matcher(text)
        .replaceAll(match -> {
          JsonNode value = values.get(match.group());
          return Matcher.quoteReplacement(value == null ? match.group() : value.asText());
        });
  }

  /** A text with the values; the number, in place of the token of a number. */
  JsonNode shown(JsonNode value) {
    JsonNode whole = value.isTextual() ? values.get(value.textValue()) : value;
    return whole == null ? TextNode.valueOf(show(value.textValue())) : whole;
  }
}
