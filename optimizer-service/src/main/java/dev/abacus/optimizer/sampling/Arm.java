package dev.abacus.optimizer.sampling;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One arm of the bandit: an implementation with its features. Two arms are equal if their ids are.
 *
 * <p>The features come from the JSON form of the parameters, for any technique: texts that name one
 * of the models are models in the role that the key names, numbers are numbers, other texts are
 * labels. So a new technique has features without further code.
 *
 * @param id unique within the operator
 * @param technique name of the technique; empty if unknown
 * @param models chat models in order of their calls, as often as they are called; the last one
 *     gives the answer
 * @param roles models by the parameter that names them
 * @param numbers numeric parameters
 * @param labels text parameters that name no model
 */
public record Arm(
    String id,
    String technique,
    List<String> models,
    SortedMap<String, List<String>> roles,
    SortedMap<String, Double> numbers,
    SortedMap<String, String> labels)
    implements Comparable<Arm> {

  private static final String TECHNIQUE = "technique";

  /** The arm of an implementation. */
  public static Arm of(PhysicalOperator physical) {
    ObjectNode tree = Json.tree(physical).deepCopy();
    JsonNode technique = tree.remove(TECHNIQUE);
    return of(
        physical.id(),
        technique == null ? "" : technique.asText(),
        physical.chatModels(),
        tree.properties());
  }

  /**
   * The arm with parameters in JSON form. Only numbers, texts, booleans and lists of texts become
   * features.
   *
   * @param models chat models in order of their calls
   */
  public static Arm of(
      String id,
      String technique,
      List<String> models,
      Iterable<Map.Entry<String, JsonNode>> parameters) {
    SortedMap<String, List<String>> roles = new TreeMap<>();
    SortedMap<String, Double> numbers = new TreeMap<>();
    SortedMap<String, String> labels = new TreeMap<>();
    for (Map.Entry<String, JsonNode> parameter : parameters) {
      String key = parameter.getKey();
      JsonNode value = parameter.getValue();
      List<String> texts = texts(value);
      if (value.isNumber()) {
        numbers.put(key, value.asDouble());
      } else if (!texts.isEmpty() && models.containsAll(texts)) {
        roles.put(key, texts);
      } else if (value.isTextual() || value.isBoolean()) {
        labels.put(key, value.asText());
      } else if (!texts.isEmpty()) {
        labels.put(key, String.join(",", texts));
      }
    }
    return new Arm(id, technique, models, roles, numbers, labels);
  }

  /** Whether it is a call of one model without any parameter. */
  public boolean isPlain() {
    return models.size() == 1 && numbers.isEmpty() && labels.isEmpty();
  }

  /** The id without service tiers: arms that share it give the same answers. */
  public String answers() {
    return ServiceTier.withoutTiers(id);
  }

  /** The arm that gives the same answers and calls its models at the standard tier. */
  public Arm atStandardTier() {
    SortedMap<String, List<String>> others = new TreeMap<>();
    roles.forEach((role, names) -> others.put(role, standard(names)));
    return new Arm(answers(), technique, standard(models), others, numbers, labels);
  }

  private static List<String> standard(List<String> names) {
    return names.stream().map(ServiceTier::standard).toList();
  }

  /** An arm without features. */
  public static Arm named(String id) {
    return new Arm(id, "", List.of(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
  }

  private static List<String> texts(JsonNode value) {
    List<String> texts = new ArrayList<>();
    if (value.isTextual()) {
      texts.add(value.asText());
    }
    value.forEach(element -> {
      if (value.isArray() && element.isTextual()) {
        texts.add(element.asText());
      }
    });
    return List.copyOf(texts);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Arm arm && id.equals(arm.id);
  }

  @Override
  public int hashCode() {
    return id.hashCode();
  }

  @Override
  public int compareTo(Arm other) {
    return id.compareTo(other.id);
  }

  @Override
  public String toString() {
    return id;
  }
}
