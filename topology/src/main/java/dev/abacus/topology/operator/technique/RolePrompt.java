package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.FieldCheck;
import dev.abacus.topology.operator.prompt.FieldSchema;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.ParsedAnswer;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.List;

/**
 * Asks for something about a question other than its answer.
 *
 * @param role what for
 * @param about the question
 */
record RolePrompt(Role role, OperatorPrompt<?> about) implements Prompt<JsonNode> {

  private static final FieldType TEXT = new FieldType.StringType(List.of());

  /** What is wrong with a draft: a text. */
  static final Role CRITIC =
      new Role("critic.txt", "critique", new Field("critique", TEXT, "what to change", false));

  /** What a draft lacks: a list of texts. */
  static final Role CHECKER =
      new Role("checker.txt", "gaps", listOf("missing", "what the draft lacks"));

  /** What of a document bears on the question: a list of texts. */
  static final Role COMPRESSOR =
      new Role("compressor.txt", "extract", listOf("passages", "copied word for word"));

  /**
   * Who asks for what.
   *
   * @param prose what the role does
   * @param schema name of the form of its answer
   * @param field the one field of that form
   */
  record Role(PromptTemplate prose, String schema, Field field) {
    private Role(String resource, String schema, Field field) {
      this(PromptTemplate.beside(RolePrompt.class, resource), schema, field);
    }

    private List<Field> form() {
      return List.of(field);
    }
  }

  private static Field listOf(String name, String description) {
    return new Field(name, new FieldType.ListType(TEXT), description, false);
  }

  @Override
  public String system() {
    return role.prose().text() + "\n\n" + about.task();
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema(role.schema(), FieldSchema.of(role.form()));
  }

  @Override
  public ParsedAnswer<JsonNode> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode fields = check.object(role.form(), answer);
    return check.problems().isEmpty()
        ? new ParsedAnswer.Understood<>(fields.path(role.field().name()))
        : new ParsedAnswer.NotUnderstood<>(check.problems());
  }
}
