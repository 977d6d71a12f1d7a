package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.operator.prompt.AnswerFormat;
import dev.abacus.topology.operator.prompt.OperatorPrompt;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.List;

/**
 * A task of a model other than the operator's own.
 *
 * @param template the prose of the system message
 */
record Role(PromptTemplate template, AnswerFormat<JsonNode> format) {

  private static final FieldType TEXT = new FieldType.StringType(List.of());
  private static final FieldType TEXTS = new FieldType.ListType(TEXT);

  /** Criticises a draft; the answer is a text. */
  static final Role CRITIC = of("critic.txt", "critique", "critique", TEXT, "what to change");

  /** Finds gaps of a draft; the answer is a list of texts. */
  static final Role CHECKER = of("checker.txt", "gaps", "missing", TEXTS, "what the draft lacks");

  /** Copies the relevant passages of a document; the answer is a list of texts. */
  static final Role COMPRESSOR =
      of("compressor.txt", "extract", "passages", TEXTS, "copied word for word");

  private static Role of(
      String resource, String schema, String field, FieldType type, String meaning) {
    return new Role(
        PromptTemplate.of(Role.class, resource),
        AnswerFormat.of(schema, field, type, meaning, answer -> answer));
  }

  /** The prompt of this role, with the user message of another prompt of the operator. */
  Prompt<JsonNode> prompt(OperatorPrompt<?> operator, Prompt<?> base) {
    return new Prompt<>(template.system(operator), base.user(), format);
  }
}
