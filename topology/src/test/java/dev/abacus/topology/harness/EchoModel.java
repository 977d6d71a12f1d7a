package dev.abacus.topology.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A model whose answer is the marker of the document, in the format of the request; without a
 * marker the answer is empty. Every call costs 0.01 USD and takes 0.5 s.
 */
final class EchoModel implements ModelClient {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern MARKER = Pattern.compile("#([^#]+)#");
  private static final Pattern ITEM =
      Pattern.compile("<item id=\"(\\d+)\">(.*?)</item>", Pattern.DOTALL);
  private static final Pattern NUMBERED =
      Pattern.compile("<item n=\"\\d+\">\\s*(.*?)\\s*</item>", Pattern.DOTALL);
  private static final Pattern EXAMPLE =
      Pattern.compile("<example n=\"\\d+\">.*?</example>", Pattern.DOTALL);
  private static final String BATCH = "batch_";

  private final Queue<ModelRequest> requests = new ConcurrentLinkedQueue<>();

  /** All requests so far. */
  List<ModelRequest> requests() {
    return List.copyOf(requests);
  }

  @Override
  public ModelAnswer call(ModelRequest request) {
    requests.add(request);
    return success(answer(request).toString());
  }

  static ModelAnswer success(String text) {
    return new ModelAnswer.Success(
        text, new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1)), List.of());
  }

  private static ObjectNode answer(ModelRequest request) {
    String form = Objects.requireNonNull(request.responseSchema()).name();
    String words = EXAMPLE.matcher(ScriptedModelClient.words(request)).replaceAll("");
    JsonNode properties = request.responseSchema().schema().path("properties");
    if (!form.startsWith(BATCH)) {
      return answer(form, properties, words);
    }
    JsonNode of = properties.at("/answers/items/properties/answer/properties");
    ObjectNode whole = JSON.objectNode();
    ArrayNode answers = whole.putArray("answers");
    for (Matcher item = ITEM.matcher(words); item.find(); ) {
      answers
          .addObject()
          .put("id", Integer.parseInt(item.group(1)))
          .set("answer", answer(form.substring(BATCH.length()), of, item.group(2)));
    }
    return whole;
  }

  /** By the first letter of each item: the later the better if the marker contains "yes". */
  private static List<Integer> merits(String marker, String words) {
    return NUMBERED
        .matcher(words)
        .results()
        .map(item -> (int) item.group(1).charAt(0) - 'a')
        .map(letter -> marker.contains("yes") ? letter : 99 - letter)
        .toList();
  }

  private static ObjectNode answer(String form, JsonNode properties, String words) {
    Matcher found = MARKER.matcher(words);
    String marker = found.find() ? found.group(1) : "";
    ObjectNode answer = JSON.objectNode();
    return switch (form) {
      case "rank_grade" -> answer.put("grade", merits(marker, words).getFirst());
      case "item_choice" -> answer.put("item", marker.contains("yes") ? 1 : 0);
      case "item_matches" -> {
        ArrayNode items = answer.putArray("items");
        List<Integer> merits = marker.contains("yes") ? merits(marker, words) : List.of();
        IntStream.rangeClosed(1, merits.size()).forEach(items::add);
        yield answer;
      }
      case "rank_comparison" -> {
        List<Integer> merits = merits(marker, words);
        yield answer.put("better", merits.get(0) > merits.get(1) ? 1 : 2);
      }
      case "rank_order" -> {
        List<Integer> merits = merits(marker, words);
        ArrayNode order = answer.putArray("order");
        IntStream.range(0, merits.size())
            .boxed()
            .sorted(Comparator.comparing(merits::get, Comparator.reverseOrder()))
            .forEach(place -> order.add(place + 1));
        yield answer;
      }
      case "filter_decision" -> answer.put("satisfied", marker.contains("yes"));
      case "map_outputs" -> {
        ArrayNode outputs = answer.putArray("outputs");
        if (!marker.isEmpty()) {
          outputs.addObject().put("echo", marker);
          outputs.addObject().put("echo", marker + "'");
        }
        yield answer;
      }
      case "critique" -> answer.put("critique", "Nothing to object to.");
      case "gaps" -> answer.set("missing", JSON.arrayNode().add("Look again."));
      case "extract" ->
          answer.set(
              "passages",
              marker.isEmpty() ? JSON.arrayNode() : JSON.arrayNode().add("#" + marker + "#"));
      default -> {
        boolean nullable = properties.at("/echo/type").isArray();
        yield answer.set(
            "echo", marker.isEmpty() && nullable ? JSON.nullNode() : TextNode.valueOf(marker));
      }
    };
  }
}
