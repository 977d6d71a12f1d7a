package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.ModelClient;
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
  Reply<List<Document>> outputs(List<List<Document>> answers) {
    return new Reply.Answered<>(MapManyQuestion.united(answers), Expense.NONE);
  }

  /** Lists are put together; other fields keep the value of the parts that have one. */
  Reply<Document> fields(MapQuestion question, List<Document> answers) throws InterruptedException {
    Map<String, JsonNode> agreed = new LinkedHashMap<>();
    List<Field> open = new ArrayList<>();
    for (Field field : question.map().writes()) {
      List<JsonNode> values = answers.stream().map(answer -> answer.get(field.name())).toList();
      List<JsonNode> said = distinct(values);
      if (field.type() instanceof FieldType.ListType) {
        agreed.put(field.name(), Union.of(values));
      } else if (said.size() == 1) {
        agreed.put(field.name(), said.getFirst());
      } else if (said.isEmpty() && field.nullable()) {
        agreed.put(field.name(), JsonNodeFactory.instance.nullNode());
      } else {
        open.add(field);
      }
    }
    if (open.isEmpty()) {
      return new Reply.Answered<>(all(question, agreed), Expense.NONE);
    }
    MapQuestion rest = question.only(open);
    return switch (StructuredCall.ask(client, merger, prompt(rest, answers), rest)) {
      case Reply.Answered<Document>(Document chosen, Expense expense) -> {
        chosen.fieldNames().forEach(name -> agreed.put(name, chosen.get(name)));
        yield new Reply.Answered<>(all(question, agreed), expense);
      }
      case Reply.Unanswered<Document> failed -> failed;
    };
  }

  private static List<JsonNode> distinct(List<JsonNode> values) {
    Map<Object, JsonNode> distinct = new LinkedHashMap<>();
    for (JsonNode value : values) {
      if (!Union.isNothing(value)) {
        distinct.putIfAbsent(Union.identity(value), value);
      }
    }
    return List.copyOf(distinct.values());
  }

  /** In the order in which the fields were asked for. */
  private static Document all(MapQuestion question, Map<String, JsonNode> values) {
    Document document = Document.empty();
    for (Field field : question.map().writes()) {
      JsonNode value = values.get(field.name());
      document = value == null ? document : document.with(field.name(), value);
    }
    return document;
  }

  private static Prompt prompt(MapQuestion question, List<Document> answers) {
    StringBuilder sections = new StringBuilder();
    for (int i = 0; i < answers.size(); i++) {
      Document open = answers.get(i).only(question.map().writtenFields());
      if (open.fieldNames().stream().anyMatch(name -> !Union.isNothing(open.get(name)))) {
        sections.append(sections.isEmpty() ? "" : "\n");
        sections.append(Fence.numbered("part", "n", i + 1, open.toJson().toString()));
      }
    }
    String said = sections.isEmpty() ? "(no part had anything to say)" : sections.toString();
    return new Prompt(MERGER.text() + "\n\n" + question.task(), List.of(new Content.Text(said)));
  }

  /** A decision without dissent stands; otherwise the merger sees the parts that said yes. */
  Reply<Boolean> decisions(FilterQuestion question, List<Document> parts, List<Boolean> answers)
      throws InterruptedException {
    if (answers.stream().distinct().count() == 1) {
      return new Reply.Answered<>(answers.getFirst(), Expense.NONE);
    }
    Document shown = Document.empty();
    for (int i = 0; i < parts.size(); i++) {
      shown = answers.get(i) ? joined(shown, parts.get(i)) : shown;
    }
    List<JsonNode> decisions = new ArrayList<>();
    answers.forEach(answer -> decisions.add(question.json(answer)));
    Prompt prompt = Prompt.of(question, shown).withEach("part", decisions).step(DECIDE);
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
