package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.ResponseSchema;
import java.util.List;

/**
 * How the answer to a condition is asked for and read: as one truth value of JSON; words that
 * contain "true" are none.
 */
public final class DecisionFormat {

  private static final String SATISFIED = "satisfied";

  private final List<Field> fields;

  /**
   * The form of one question.
   *
   * @param meaning what the truth value says, for the model
   */
  public DecisionFormat(String meaning) {
    this.fields = List.of(new Field(SATISFIED, new FieldType.BooleanType(), meaning, false));
  }

  public ResponseSchema schema() {
    return new ResponseSchema("filter_decision", FieldSchema.of(fields));
  }

  public ParsedAnswer<Boolean> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode decision = check.object(fields, answer);
    return check.problems().isEmpty()
        ? new ParsedAnswer.Understood<>(decision.path(SATISFIED).booleanValue())
        : new ParsedAnswer.NotUnderstood<>(check.problems());
  }

  /** The answer as a model would write it. */
  static ObjectNode json(boolean satisfied) {
    return JsonNodeFactory.instance.objectNode().put(SATISFIED, satisfied);
  }
}
