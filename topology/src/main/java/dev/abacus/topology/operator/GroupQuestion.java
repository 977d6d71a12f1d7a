package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.topology.model.ResponseSchema;
import java.util.Map;
import java.util.Objects;

/**
 * Asks for the fields that an aggregate writes about a group: of its members, or of answers that
 * were given to parts of it.
 *
 * @param merging whether what is shown are answers to parts
 */
record GroupQuestion(Aggregate aggregate, boolean merging) implements Question<Document> {

  private static final PromptTemplate WHOLE =
      PromptTemplate.beside(GroupQuestion.class, "group.txt");
  private static final PromptTemplate MERGE =
      PromptTemplate.beside(GroupQuestion.class, "aggregate-merge.txt");

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
  public Reading<Document> read(ObjectNode answer) {
    FieldCheck check = new FieldCheck();
    ObjectNode fields = check.object(aggregate.writes(), answer);
    return check.problems().isEmpty()
        ? new Reading.Understood<>(Document.of(fields))
        : new Reading.NotUnderstood<>(check.problems());
  }
}
