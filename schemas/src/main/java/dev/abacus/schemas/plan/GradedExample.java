package dev.abacus.schemas.plan;

import dev.abacus.schemas.document.Document;
import java.util.List;

/**
 * An output of an operator on a labelled example with its score, as prompts of the judge show it.
 *
 * @param id of the validation example
 * @param input the fields that the operator reads
 * @param outputs the fields that the operator wrote; empty if a filter dropped the document
 * @param score by comparison with the label, in [0, 1]
 */
public record GradedExample(String id, Document input, List<Document> outputs, double score) {

  public GradedExample {
    outputs = List.copyOf(outputs);
  }
}
