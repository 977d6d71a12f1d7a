package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.prompt.AnswerValues;
import dev.abacus.topology.operator.prompt.Execution;
import dev.abacus.topology.operator.prompt.FilterPrompt;
import dev.abacus.topology.operator.prompt.MapPrompt;
import dev.abacus.topology.operator.prompt.OneToManyMapPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptMarkup;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges the answers about the parts of a document. Calls a model only for values on which the
 * parts disagree.
 *
 * @param merger the name of the model
 */
record PartialAnswers(Execution execution, String merger) {

  private static final PromptTemplate MERGER =
      PromptTemplate.of(PartialAnswers.class, "merger.txt");
  private static final PromptTemplate DECIDE =
      PromptTemplate.of(PartialAnswers.class, "decide-parts.txt");

  /** Merges the outputs of a one-to-many map: all outputs without duplicates. */
  List<Document> outputs(List<List<Document>> answers) {
    return OneToManyMapPrompt.union(answers);
  }

  /** Merges the fields of a map: unites lists, keeps agreed values, and asks for the others. */
  Document fields(MapPrompt prompt, List<Document> answers)
      throws InterruptedException, OperatorFailedException {
    Map<String, JsonNode> agreed = new LinkedHashMap<>();
    List<Field> open = new ArrayList<>();
    for (Field field : prompt.map().writes()) {
      List<JsonNode> values = answers.stream().map(answer -> answer.get(field.name())).toList();
      List<JsonNode> distinct = distinct(values);
      if (field.type() instanceof FieldType.ListType) {
        agreed.put(field.name(), AnswerValues.union(values));
      } else if (distinct.size() == 1) {
        agreed.put(field.name(), distinct.getFirst());
      } else if (distinct.isEmpty() && field.nullable()) {
        agreed.put(field.name(), JsonNodeFactory.instance.nullNode());
      } else {
        open.add(field);
      }
    }
    if (!open.isEmpty()) {
      Document chosen = execution.ask(merger, conflicts(prompt.only(open), answers));
      chosen.fieldNames().forEach(name -> agreed.put(name, chosen.get(name)));
    }
    return ordered(prompt, agreed);
  }

  private static List<JsonNode> distinct(List<JsonNode> values) {
    Map<Object, JsonNode> distinct = new LinkedHashMap<>();
    for (JsonNode value : values) {
      if (!AnswerValues.isEmpty(value)) {
        distinct.putIfAbsent(AnswerValues.identity(value), value);
      }
    }
    return List.copyOf(distinct.values());
  }

  /** The values in the order of the map's fields. */
  private static Document ordered(MapPrompt prompt, Map<String, JsonNode> values) {
    Document document = Document.empty();
    for (Field field : prompt.map().writes()) {
      JsonNode value = values.get(field.name());
      document = value == null ? document : document.with(field.name(), value);
    }
    return document;
  }

  private static Prompt<Document> conflicts(MapPrompt open, List<Document> answers) {
    StringBuilder sections = new StringBuilder();
    for (int i = 0; i < answers.size(); i++) {
      Document values = answers.get(i).only(open.map().writtenFields());
      if (values.fieldNames().stream().anyMatch(name -> !AnswerValues.isEmpty(values.get(name)))) {
        sections.append(sections.isEmpty() ? "" : "\n");
        sections.append(PromptMarkup.numbered("part", i + 1, values.toJson().toString()));
      }
    }
    String user = sections.isEmpty() ? "(no part had anything to say)" : sections.toString();
    return new Prompt<>(
        MERGER.text() + "\n\n" + open.task(), List.of(new Content.Text(user)), open.format());
  }

  /**
   * Merges the decisions of a filter. A unanimous decision stands; otherwise the merger decides
   * from parts of both sides, as many of each side as the smaller side has. A part with a positive
   * decision proves a condition such as "mentions X", and a part with a negative decision refutes a
   * condition such as "does not mention X"; the merger sees both, whatever the condition is.
   */
  boolean decisions(FilterPrompt prompt, List<Document> parts, List<Boolean> answers)
      throws InterruptedException, OperatorFailedException {
    if (answers.stream().distinct().count() == 1) {
      return answers.getFirst();
    }
    int yes = Collections.frequency(answers, true);
    int ofEachSide = Math.min(yes, answers.size() - yes);
    Document shown = Document.empty();
    int[] shownOfSide = new int[2];
    for (int i = 0; i < parts.size(); i++) {
      if (shownOfSide[answers.get(i) ? 1 : 0]++ < ofEachSide) {
        shown = concatenated(shown, parts.get(i));
      }
    }
    List<JsonNode> decisions = new ArrayList<>();
    answers.forEach(answer -> decisions.add(prompt.json(answer)));
    return execution.ask(
        merger, prompt.about(shown).sections("part", decisions).append(DECIDE.text()));
  }

  private static Document concatenated(Document before, Document part) {
    Document all = before;
    for (String name : part.fieldNames()) {
      JsonNode value = part.get(name);
      JsonNode earlier = before.get(name);
      all =
          all.with(
              name,
              value.isTextual() && earlier.isTextual()
                  ? TextNode.valueOf(earlier.textValue() + "\n…\n" + value.textValue())
                  : value);
    }
    return all;
  }
}
