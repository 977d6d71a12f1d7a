package dev.abacus.topology.operator.technique;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.topology.model.ResponseSchema;
import dev.abacus.topology.operator.prompt.FieldCheck;
import dev.abacus.topology.operator.prompt.FieldLines;
import dev.abacus.topology.operator.prompt.FieldSchema;
import dev.abacus.topology.operator.prompt.ParsedAnswer;
import dev.abacus.topology.operator.prompt.Prompt;
import dev.abacus.topology.operator.prompt.PromptTemplate;
import java.util.Map;
import java.util.Objects;

/**
 * Asks for the fields that an aggregate writes about a group: of its members, or of answers that
 * were given to parts of it.
 *
 * @param merging whether what is shown are answers to parts
 */
record AggregatePrompt(Aggregate aggregate, boolean merging) implements Prompt<Document> {

  private static final PromptTemplate WHOLE =
      PromptTemplate.beside(AggregatePrompt.class, "group.txt");
  private static final PromptTemplate MERGE =
      PromptTemplate.beside(AggregatePrompt.class, "aggregate-merge.txt");

  @Override
  public String system() {
    String instruction = Objects.requireNonNull(aggregate.instruction(), "not semantic");
    return (merging ? MERGE : WHOLE)
        .fill(Map.of("instruction", instruction, "fields", FieldLines.of(aggregate.writes())));
  }

  @Override
  public ResponseSchema responseSchema() {
    return new ResponseSchema("map_output", FieldSchema.of(aggregate.writes()));
  }

  @Override
  public ParsedAnswer<Document> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode fields = check.object(aggregate.writes(), answer);
    return check.problems().isEmpty()
        ? new ParsedAnswer.Understood<>(Document.of(fields))
        : new ParsedAnswer.NotUnderstood<>(check.problems());
  }
}
