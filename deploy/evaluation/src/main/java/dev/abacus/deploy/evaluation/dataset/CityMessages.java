package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Written messages to a city and four filters that keep the cases for a crew. A message is about
 * one of four topics; each filter drops most messages of one topic and few of the others. What a
 * message says of each condition is a sentence among several, whatever its topic; no word of the
 * topic decides.
 */
public final class CityMessages {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final int EXAMPLES = 40;
  private static final double DIFFICULTY = 0.2;
  private static final double SKEW = 1.3;

  /** Probability that a condition holds, of the messages of the topic that it drops. */
  private static final double SELDOM = 0.1;

  /** The same of the other topics. */
  private static final double MOSTLY = 0.9;

  private final Phrases phrases;
  private final Map<String, String> conditions;
  private final Random random;

  private CityMessages(Map<String, String> conditions, Random random) {
    this.phrases = Phrases.read("city-messages.json", random, 240);
    this.conditions = conditions;
    this.random = random;
  }

  /**
   * Writes messages; the same seed yields the same ones.
   *
   * @param number of messages, beside {@value #EXAMPLES} examples
   */
  public static Dataset of(int number, long seed) {
    String program = Dataset.resource("city-messages.yaml");
    Matcher filter = Pattern.compile("filter: (\\w+)\\s+condition: (.+)").matcher(program);
    Map<String, String> conditions = new TreeMap<>();
    while (filter.find()) {
      conditions.put(filter.group(1), filter.group(2));
    }
    CityMessages messages = new CityMessages(conditions, new Random(seed));
    List<LabelledDocument> documents = new ArrayList<>();
    for (int i = 0; i < number + EXAMPLES; i++) {
      documents.add(messages.next("m" + i, i < EXAMPLES ? Dataset.VALIDATION : "test"));
    }
    return new Dataset(program, "messages", documents, Map.of());
  }

  private LabelledDocument next(String id, String split) {
    JsonNode texts = phrases.texts();
    // The first topics are the most frequent ones.
    JsonNode topics = texts.path("topics");
    JsonNode topic = topics.get((int) (topics.size() * Math.pow(random.nextDouble(), SKEW)));
    List<String> sentences = new ArrayList<>();
    Map<String, JsonNode> truths = new TreeMap<>();
    for (String filter : conditions.keySet()) {
      boolean drops = topic.path("fails").asText().equals(filter);
      boolean holds = random.nextDouble() < (drops ? SELDOM : MOSTLY);
      truths.put(filter, JSON.booleanNode(holds));
      sentences.add(phrases.one(texts.at("/conditions/" + filter).path(holds ? "holds" : "fails")));
    }
    Collections.shuffle(sentences, random);
    sentences.addFirst(phrases.one(topic.path("sentences")));
    sentences.add(1 + random.nextInt(sentences.size()), phrases.one(topic.path("sentences")));
    sentences.addFirst(phrases.one(texts.path("openings")));
    // Messages have sentences in common, so the simulated models know them by this one alone.
    String header = phrases.one(texts.path("headers")).replace("ID", id);
    sentences.addFirst(header);
    sentences.add(phrases.one(texts.path("closings")));
    ObjectNode document = JSON.objectNode().put("id", id).put("text", String.join(" ", sentences));
    LabelledDocument built = LabelledDocument.of(id, split, document);
    conditions.forEach((filter, condition) -> {
      JsonNode holds = Objects.requireNonNull(truths.get(filter));
      built.label(filter, holds).condition(condition, holds, List.of(), DIFFICULTY);
    });
    return built.knownBy(JSON.objectNode().put("text", header));
  }
}
