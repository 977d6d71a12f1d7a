package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Asks for any number of outputs, each with the fields that a one-to-many map writes. */
public record OneToManyMapPrompt(SemanticMap map) implements OperatorPrompt<List<Document>> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(OneToManyMapPrompt.class, "map-many.txt");
  private static final String OUTPUTS = "outputs";

  @Override
  public String system() {
    return SYSTEM.text() + "\n\n" + task();
  }

  @Override
  public String task() {
    return MapPrompt.task(map);
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("map_outputs", FieldSchema.of(form()));
  }

  private List<Field> form() {
    FieldType one = new FieldType.ObjectType(map.writes());
    return List.of(new Field(OUTPUTS, new FieldType.ListType(one), "one entry per output", false));
  }

  @Override
  public String topic() {
    return MapPrompt.topic(map);
  }

  /** As it is: a part that says nothing gives no output. */
  @Override
  public OneToManyMapPrompt ofPart() {
    return this;
  }

  @Override
  public ParsedAnswer<List<Document>> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode checked = check.object(form(), answer);
    if (!check.problems().isEmpty()) {
      return new ParsedAnswer.NotUnderstood<>(check.problems());
    }
    List<Document> outputs = new ArrayList<>();
    checked.path(OUTPUTS).forEach(one -> outputs.add(Document.of((ObjectNode) one)));
    return new ParsedAnswer.Understood<>(List.copyOf(outputs));
  }

  @Override
  public ObjectNode json(List<Document> answer) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode outputs = json.putArray(OUTPUTS);
    answer.forEach(output -> outputs.add(output.toJson()));
    return json;
  }

  @Override
  public List<Document> added(List<Document> first, List<Document> second) {
    return united(List.of(first, second));
  }

  /** All outputs in order, of equal ones the first. */
  public static List<Document> united(List<List<Document>> answers) {
    Set<Document> all = new LinkedHashSet<>();
    answers.forEach(all::addAll);
    return List.copyOf(all);
  }

  @Override
  public OperatorOutcome outcome(Document document, List<Document> answer, ExecutionStats stats) {
    return new OperatorOutcome.Kept(answer.stream().map(document::with).toList(), stats, null);
  }

  /** By field, because that is how labels of one-to-many maps are written. */
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
