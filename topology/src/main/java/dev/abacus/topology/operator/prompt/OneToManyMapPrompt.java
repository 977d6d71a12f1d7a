package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks for any number of outputs, each with the fields that a one-to-many map writes. */
public record OneToManyMapPrompt(SemanticMap map) implements OperatorPrompt<List<Document>> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.of(OneToManyMapPrompt.class, "map-many.txt");
  private static final String OUTPUTS = "outputs";

  @Override
  public String system() {
    return SYSTEM.system(this);
  }

  @Override
  public AnswerFormat<List<Document>> format() {
    FieldType outputs = new FieldType.ListType(new FieldType.ObjectType(map.writes()));
    return new AnswerFormat<>(
        "map_outputs",
        List.of(new Field(OUTPUTS, outputs, "one entry per output", false)),
        OneToManyMapPrompt::outputs);
  }

  private static List<Document> outputs(ObjectNode answer) {
    List<Document> outputs = new ArrayList<>();
    answer.path(OUTPUTS).forEach(output -> outputs.add(Document.of((ObjectNode) output)));
    return List.copyOf(outputs);
  }

  @Override
  public String task() {
    return MapPrompt.task(map);
  }

  @Override
  public String topic() {
    return MapPrompt.topic(map);
  }

  /** Unchanged: a part without an answer gives an empty list. */
  @Override
  public OneToManyMapPrompt ofPart() {
    return this;
  }

  @Override
  public ObjectNode json(List<Document> answer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode outputs = json.putArray(OUTPUTS);
    answer.forEach(output -> outputs.add(output.toJson()));
    return json;
  }

  /** A list of outputs, each with its fields. */
  @Override
  public @Nullable ObjectNode ofLabel(JsonNode label) {
    return label.isArray() ? JsonNodeFactory.instance.objectNode().set(OUTPUTS, label) : null;
  }

  @Override
  public List<Document> combine(List<Document> first, List<Document> second) {
    return union(List.of(first, second));
  }

  /** All outputs in order, without duplicates. */
  public static List<Document> union(List<List<Document>> answers) {
    Set<Document> all = new LinkedHashSet<>();
    answers.forEach(all::addAll);
    return List.copyOf(all);
  }

  @Override
  public OperatorOutcome outcome(Document document, List<Document> answer, ExecutionStats stats) {
    return new OperatorOutcome.Kept(answer.stream().map(document::with).toList(), stats, null);
  }

  /** One list per field, the form in which labels of one-to-many maps are written. */
  @Override
  public @Nullable JsonNode output(OperatorOutcome outcome) {
    if (!(outcome instanceof OperatorOutcome.Kept kept)) {
      return null;
    }
    ObjectNode output = JsonNodeFactory.instance.objectNode();
    for (String field : map.writtenFields()) {
      ArrayNode values = output.putArray(field);
      kept.documents().forEach(document -> values.add(document.get(field)));
    }
    return output;
  }
}
