package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.ResponseSchema;
import java.util.List;
import java.util.Map;

/**
 * Asks whether a join's condition holds for two documents.
 *
 * @param condition a statement that is true or false of the two
 */
public record JoinQuestion(String condition) implements Question<Boolean> {

  private static final PromptTemplate SYSTEM =
      PromptTemplate.beside(JoinQuestion.class, "join.txt");
  private static final String SATISFIED = "satisfied";
  private static final List<Field> DECISION =
      List.of(
          new Field(
              SATISFIED,
              new FieldType.Bool(),
              "whether the condition holds for the two documents",
              false));

  @Override
  public String system() {
    return SYSTEM.fill(Map.of("condition", condition));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("filter_decision", FieldSchema.of(DECISION));
  }

  @Override
  public Reading<Boolean> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode decision = check.object(DECISION, answer);
    return check.problems().isEmpty()
        ? new Reading.Understood<>(decision.path(SATISFIED).booleanValue())
        : new Reading.NotUnderstood<>(check.problems());
  }
}
