package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.AnswerText;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The prompt of an operator about several documents in one request. The answer is {@code
 * {"answers": [{"id": 1, "answer": …}]}}; each inner answer has the operator's format.
 */
record BatchPrompt(OperatorPrompt<?> operator) {

  private static final PromptTemplate SYSTEM = PromptTemplate.of(BatchPrompt.class, "batch.txt");
  private static final String ANSWERS = "answers";
  private static final String ID = "id";
  private static final String ANSWER = "answer";

  /** The request about one document, before it is joined with others. Its hash is the receipt. */
  ModelRequest request(String model, Document shown) {
    String system = SYSTEM.fill(Map.of("form", form())) + "\n\n" + operator.task();
    return ModelRequest.of(model, system, DocumentMessage.of(shown), responseSchema());
  }

  private String form() {
    return switch (operator) {
      case MapPrompt _ -> "{the fields listed below, each of the type given}";
      case OneToManyMapPrompt _ -> "{\"outputs\": [{the fields listed below}, ... or none at all]}";
      case FilterPrompt _ -> "{\"satisfied\": true or false, as the condition holds or not}";
    };
  }

  private ResponseSchema responseSchema() {
    ResponseSchema one = operator.format().schema();
    ObjectNode entry = closedObject();
    ObjectNode properties = entry.putObject("properties");
    properties.putObject(ID).put("type", "integer");
    properties.set(ANSWER, one.schema());
    entry.putArray("required").add(ID).add(ANSWER);
    ObjectNode whole = closedObject();
    whole.putObject("properties").putObject(ANSWERS).put("type", "array").set("items", entry);
    whole.putArray("required").add(ANSWERS);
    return new ResponseSchema("batch_" + one.name(), whole);
  }

  private static ObjectNode closedObject() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("type", "object")
        .put("additionalProperties", false);
  }

  /**
   * Joins requests that differ only in their documents. Images have one numbering per item and
   * follow its text.
   */
  static ModelRequest join(List<ModelRequest> requests) {
    List<Content> parts = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      parts.add(new Content.Text("<item id=\"" + (i + 1) + "\">"));
      parts.addAll(requests.get(i).content());
      parts.add(new Content.Text("</item>"));
    }
    return requests.getFirst().withContent(Prompt.joinTexts(parts));
  }

  /**
   * Splits the answer to joined requests.
   *
   * @return one text per request; an empty object for a request with no answer or several
   */
  static List<String> split(String text, int requests) {
    List<ArrayNode> lists = new ArrayList<>();
    for (ObjectNode whole : AnswerText.objects(text)) {
      if (whole.get(ANSWERS) instanceof ArrayNode entries && !lists.contains(entries)) {
        lists.add(entries);
      }
    }
    List<String> answers = new ArrayList<>();
    for (int id = 1; id <= requests; id++) {
      String number = String.valueOf(id);
      List<JsonNode> own = new ArrayList<>();
      lists.forEach(entries ->
          entries
              .valueStream()
              .filter(entry -> entry.path(ID).isValueNode())
              .filter(entry -> entry.path(ID).asText().strip().equals(number))
              .forEach(entry -> own.add(entry.path(ANSWER))));
      answers.add(own.size() == 1 && own.getFirst().isObject() ? own.getFirst().toString() : "{}");
    }
    return answers;
  }
}
