package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.AnswerText;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A question asked of several documents in one request: {@code {"answers": [{"id": 1, "answer":
 * …}]}}, where each answer has the form that the question gives it.
 */
record BatchPrompt(OperatorPrompt<?> each) {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(BatchPrompt.class, "batch.txt");
  private static final String ANSWERS = "answers";
  private static final String ID = "id";
  private static final String ANSWER = "answer";

  String system() {
    return SYSTEM.fill(Map.of("form", form())) + "\n\n" + each.task();
  }

  private String form() {
    return switch (each) {
      case MapPrompt _ -> "{the fields listed below, each of the type given}";
      case OneToManyMapPrompt _ -> "{\"outputs\": [{the fields listed below}, ... or none at all]}";
      case FilterPrompt _ -> "{\"satisfied\": true or false, as the condition holds or not}";
    };
  }

  ResponseSchema responseSchema() {
    JsonNodeFactory json = JsonNodeFactory.instance;
    ResponseSchema one = each.responseSchema();
    ObjectNode entry = object(json.objectNode());
    ObjectNode properties = entry.putObject("properties");
    properties.putObject(ID).put("type", "integer");
    properties.set(ANSWER, one.schema());
    entry.putArray("required").add(ID).add(ANSWER);
    ObjectNode whole = object(json.objectNode());
    whole.putObject("properties").putObject(ANSWERS).put("type", "array").set("items", entry);
    whole.putArray("required").add(ANSWERS);
    return new ResponseSchema("batch_" + one.name(), whole);
  }

  private static ObjectNode object(ObjectNode schema) {
    return schema.put("type", "object").put("additionalProperties", false);
  }

  /** The request for one document: what its receipt goes by, whomever it shared its call with. */
  ModelRequest alone(String model, List<Content> document) {
    return ModelRequest.of(model, system(), document, responseSchema());
  }

  /**
   * One request for several of those. Numbers of images count within their item, whose images
   * follow its words.
   */
  static ModelRequest together(List<ModelRequest> requests) {
    ModelRequest first = requests.getFirst();
    PromptMessages prompt = new PromptMessages(first.system(), List.of());
    for (int i = 0; i < requests.size(); i++) {
      prompt = prompt.and("<item id=\"" + (i + 1) + "\">");
      for (Content part : requests.get(i).content()) {
        prompt = part instanceof Content.Text(String text) ? prompt.and(text) : with(prompt, part);
      }
      prompt = prompt.and("</item>");
    }
    return first.withContent(prompt.user());
  }

  private static PromptMessages with(PromptMessages prompt, Content image) {
    List<Content> parts = new ArrayList<>(prompt.user());
    parts.add(image);
    return new PromptMessages(prompt.system(), parts);
  }

  /**
   * The answers to the items of a batch, each as text; an empty object for an item without an
   * answer, or with two.
   */
  static List<String> answers(String text, int items) {
    ObjectNode whole = AnswerText.object(text);
    List<String> answers = new ArrayList<>();
    for (int id = 1; id <= items; id++) {
      List<JsonNode> own = new ArrayList<>();
      if (whole != null && whole.get(ANSWERS) instanceof ArrayNode entries) {
        for (JsonNode entry : entries) {
          if (entry.path(ID).isIntegralNumber() && entry.path(ID).intValue() == id) {
            own.add(entry.path(ANSWER));
          }
        }
      }
      answers.add(own.size() == 1 && own.getFirst().isObject() ? own.getFirst().toString() : "{}");
    }
    return answers;
  }
}
