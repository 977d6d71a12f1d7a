package dev.abacus.deploy.simulator.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.simulator.prompt.DocumentSection;
import dev.abacus.deploy.simulator.truth.DocumentIndex.Match;
import dev.abacus.deploy.simulator.truth.GroundTruth;
import dev.abacus.deploy.simulator.truth.KnownDocument;
import dev.abacus.deploy.simulator.truth.TextNormalizer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The ground truth of the documents that a prompt quotes. */
final class QuotedTruth {

  private final List<Match> matches;
  private final DocumentSection section;

  /**
   * Documents with less than this share of the highest coverage are ignored: they only share
   * phrases with the quoted document.
   */
  private static final double LEAST_COVERAGE = 0.5;

  QuotedTruth(List<Match> matches, DocumentSection section) {
    double most = matches.stream().mapToDouble(Match::coverage).max().orElse(0);
    this.matches =
        matches.stream().filter(match -> match.coverage() >= LEAST_COVERAGE * most).toList();
    this.section = section;
  }

  /** The ground truth of a field, or null if no quoted document has it. */
  @Nullable GroundTruth field(String name) {
    for (Match match : matches) {
      KnownDocument document = match.document();
      JsonNode value = document.answers().get(name);
      if (value != null) {
        return truth(match, name, value, document.evidenceOf(name));
      }
    }
    return null;
  }

  /** The ground truth of a list of objects: the n-th object has the n-th value of every field. */
  @Nullable GroundTruth items(Collection<String> fields) {
    for (Match match : matches) {
      KnownDocument document = match.document();
      List<String> known = fields.stream().filter(document.answers()::containsKey).toList();
      if (!known.isEmpty()) {
        return truth(match, String.join("+", known), zip(document, known), List.of());
      }
    }
    return null;
  }

  private static ArrayNode zip(KnownDocument document, List<String> fields) {
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    for (String field : fields) {
      JsonNode value = document.answers().getOrDefault(field, JsonNodeFactory.instance.nullNode());
      for (int i = 0; i < (value.isArray() ? value.size() : 1) && !value.isNull(); i++) {
        ObjectNode item = i < items.size() ? (ObjectNode) items.get(i) : items.addObject();
        item.set(field, value.isArray() ? value.get(i) : value);
      }
    }
    return items;
  }

  /**
   * The ground truth of a condition, or null if it is unknown. A condition of one document is
   * decided by the document that is quoted most, because the others may only share text with it. A
   * join condition holds if all quoted documents that know it agree.
   */
  @Nullable GroundTruth condition(String text) {
    String key = TextNormalizer.condition(text);
    List<Match> knowing =
        matches.stream().filter(match -> match.document().conditions().containsKey(key)).toList();
    if (knowing.isEmpty()) {
      return null;
    }
    Match first = knowing.getFirst();
    boolean alone = knowing.stream().allMatch(match -> isOfOne(match, key));
    boolean holds =
        alone ? holds(first, key) : knowing.stream().allMatch(match -> holds(match, key));
    GroundTruth truth =
        truth(first, key, BooleanNode.valueOf(holds), first.document().evidenceOf(key));
    return alone || matches.size() == 1 ? truth : ofPair(truth);
  }

  private static boolean isOfOne(Match match, String key) {
    return match.document().conditions().getOrDefault(key, BooleanNode.FALSE).isBoolean();
  }

  /** The ground truth of all conditions; empty if one of them is unknown. */
  List<GroundTruth> conditions(List<String> texts) {
    List<GroundTruth> known = new ArrayList<>();
    for (String text : texts) {
      @Nullable GroundTruth truth = condition(text);
      if (truth == null) {
        return List.of();
      }
      known.add(truth);
    }
    return known;
  }

  private GroundTruth ofPair(GroundTruth truth) {
    String pair =
        matches.stream()
            .map(match -> match.document().id())
            .sorted()
            .collect(Collectors.joining("+"));
    return truth.withDocument(pair);
  }

  private boolean holds(Match match, String key) {
    JsonNode value = match.document().conditions().getOrDefault(key, BooleanNode.FALSE);
    if (value.isBoolean()) {
      return value.booleanValue();
    }
    for (JsonNode partner : value) {
      if (shows(partner.asText())) {
        return true;
      }
    }
    return false;
  }

  private boolean shows(String partner) {
    boolean known = matches.stream().anyMatch(match -> match.document().id().equals(partner));
    return known || section.texts().stream().anyMatch(text -> names(text, partner));
  }

  private static boolean names(String text, String partner) {
    return text.equals(partner) || text.contains("\"" + partner + "\"");
  }

  /**
   * The ground truth of a criterion for items of a list: the list of the ids (or texts) of the
   * items that meet it. Null if it is unknown.
   */
  @Nullable GroundTruth criterion(String text) {
    String key = TextNormalizer.condition(text);
    for (Match match : matches) {
      JsonNode listed = match.document().conditions().get(key);
      if (listed != null && listed.isArray()) {
        return truth(match, key, listed, match.document().evidenceOf(key));
      }
    }
    return null;
  }

  /** Whether an item meets a criterion. */
  static boolean meets(GroundTruth criterion, String item) {
    return criterion.value().valueStream().anyMatch(id -> names(item, id.asText()));
  }

  /** The number of items that the document section shows and that meet a criterion. */
  int shown(GroundTruth criterion) {
    return (int) criterion.value().valueStream().filter(id -> shows(id.asText())).count();
  }

  private static GroundTruth truth(Match match, String key, JsonNode value, List<String> evidence) {
    KnownDocument document = match.document();
    return new GroundTruth(
        document.id(),
        key,
        value,
        evidence,
        document.difficultyOf(key),
        match.coverage(),
        document.verbatim());
  }

  /** The ground truth of those of these fields that are known. */
  List<GroundTruth> fields(Collection<String> names) {
    return names.stream().map(this::field).filter(Objects::nonNull).toList();
  }
}
