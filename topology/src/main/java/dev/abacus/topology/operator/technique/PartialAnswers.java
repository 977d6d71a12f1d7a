package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.prompt.AnswerValues;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.PromptMarkup;
import dev.abacus.topology.operator.prompt.PromptMessages;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import dev.abacus.topology.operator.prompt.StructuredAnswer;
import dev.abacus.topology.operator.prompt.StructuredCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes one answer of the answers to the parts of a document. Asks a model only about what the
 * parts disagree on.
 *
 * @param merger name of the model
 */
record PartialAnswers(ModelClient client, String merger) {

  private static final PromptTemplate MERGER =
      PromptTemplate.beside(PartialAnswers.class, "merger.txt");
  private static final PromptTemplate DECIDE =
      PromptTemplate.beside(PartialAnswers.class, "decide-parts.txt");

  /** All outputs of all parts, each once. */
  StructuredAnswer<List<Document>> outputs(List<List<Document>> answers) {
    return new StructuredAnswer.Answered<>(OneToManyMapPrompt.united(answers), ExecutionStats.NONE);
  }

  /** Lists are put together; other fields keep the value of the parts that have one. */
  StructuredAnswer<Document> fields(MapPrompt question, List<Document> answers)
      throws InterruptedException {
    Map<String, JsonNode> agreed = new LinkedHashMap<>();
    List<Field> open = new ArrayList<>();
    for (Field field : question.map().writes()) {
      List<JsonNode> values = answers.stream().map(answer -> answer.get(field.name())).toList();
      List<JsonNode> said = distinct(values);
      if (field.type() instanceof FieldType.ListType) {
        agreed.put(field.name(), AnswerValues.of(values));
      } else if (said.size() == 1) {
        agreed.put(field.name(), said.getFirst());
      } else if (said.isEmpty() && field.nullable()) {
        agreed.put(field.name(), JsonNodeFactory.instance.nullNode());
      } else {
        open.add(field);
      }
    }
    if (open.isEmpty()) {
      return new StructuredAnswer.Answered<>(all(question, agreed), ExecutionStats.NONE);
    }
    MapPrompt rest = question.only(open);
    return switch (StructuredCall.ask(client, merger, prompt(rest, answers), rest)) {
      case StructuredAnswer.Answered<Document>(Document chosen, ExecutionStats stats) -> {
        chosen.fieldNames().forEach(name -> agreed.put(name, chosen.get(name)));
        yield new StructuredAnswer.Answered<>(all(question, agreed), stats);
      }
      case StructuredAnswer.Unanswered<Document> failed -> failed;
    };
  }

  private static List<JsonNode> distinct(List<JsonNode> values) {
    Map<Object, JsonNode> distinct = new LinkedHashMap<>();
    for (JsonNode value : values) {
      if (!AnswerValues.isNothing(value)) {
        distinct.putIfAbsent(AnswerValues.identity(value), value);
      }
    }
    return List.copyOf(distinct.values());
  }

  /** In the order in which the fields were asked for. */
  private static Document all(MapPrompt question, Map<String, JsonNode> values) {
    Document document = Document.empty();
    for (Field field : question.map().writes()) {
      JsonNode value = values.get(field.name());
      document = value == null ? document : document.with(field.name(), value);
    }
    return document;
  }

  private static PromptMessages prompt(MapPrompt question, List<Document> answers) {
    StringBuilder sections = new StringBuilder();
    for (int i = 0; i < answers.size(); i++) {
      Document open = answers.get(i).only(question.map().writtenFields());
      if (open.fieldNames().stream().anyMatch(name -> !AnswerValues.isNothing(open.get(name)))) {
        sections.append(sections.isEmpty() ? "" : "\n");
        sections.append(PromptMarkup.numbered("part", "n", i + 1, open.toJson().toString()));
      }
    }
    String said = sections.isEmpty() ? "(no part had anything to say)" : sections.toString();
    return new PromptMessages(
        MERGER.text() + "\n\n" + question.task(), List.of(new Content.Text(said)));
  }

  /** A decision without dissent stands; otherwise the merger sees the parts that said yes. */
  StructuredAnswer<Boolean> decisions(
      FilterPrompt question, List<Document> parts, List<Boolean> answers)
      throws InterruptedException {
    if (answers.stream().distinct().count() == 1) {
      return new StructuredAnswer.Answered<>(answers.getFirst(), ExecutionStats.NONE);
    }
    Document shown = Document.empty();
    for (int i = 0; i < parts.size(); i++) {
      shown = answers.get(i) ? joined(shown, parts.get(i)) : shown;
    }
    List<JsonNode> decisions = new ArrayList<>();
    answers.forEach(answer -> decisions.add(question.json(answer)));
    PromptMessages prompt =
        PromptMessages.of(question, shown).withEach("part", decisions).step(DECIDE);
    return StructuredCall.ask(client, merger, prompt, question);
  }

  private static Document joined(Document before, Document part) {
    Document joined = before;
    for (String name : part.fieldNames()) {
      JsonNode value = part.get(name);
      JsonNode earlier = before.get(name);
      joined =
          joined.with(
              name,
              value.isTextual() && earlier.isTextual()
                  ? TextNode.valueOf(earlier.textValue() + "\n…\n" + value.textValue())
                  : value);
    }
    return joined;
  }
}
