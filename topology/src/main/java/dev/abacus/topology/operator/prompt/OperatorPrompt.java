package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorOutcome;
import org.jspecify.annotations.Nullable;

/**
 * What a semantic operator asks of a document: the fields of a map or the condition of a filter.
 * Techniques need not know which.
 */
public sealed interface OperatorPrompt<A> extends Prompt<A>
    permits MapPrompt, OneToManyMapPrompt, FilterPrompt {

  /** What it is about, to find the parts of a document that bear on it. */
  String topic();

  /** What is asked, in sections, without prose: for prompts that speak about the question. */
  String task();

  /** An answer as a model would give it. */
  ObjectNode json(A answer);

  /** The question as it is asked of a part of a document, which need not have an answer to it. */
  OperatorPrompt<A> ofPart();

  /** An answer with what a second look found added to it. Nothing of the first look is lost. */
  A added(A first, A second);

  /** What the answer makes of the document. */
  OperatorOutcome outcome(Document document, A answer, ExecutionStats stats);

  /**
   * The operator's output as JSON: the fields that a map wrote (of a one-to-many map, for each
   * field the list of its values), or the decision of a filter; null if the outcome is none that
   * this operator can have.
   */
  @Nullable JsonNode output(OperatorOutcome outcome);

  /** The question of an operator, or null if it asks no model. */
  static @Nullable OperatorPrompt<?> of(LogicalOperator operator) {
    return switch (operator) {
      case SemanticMap map when map.cardinality() == Cardinality.MANY ->
          new OneToManyMapPrompt(map);
      case SemanticMap map -> new MapPrompt(map);
      case SemanticFilter filter -> new FilterPrompt(filter);
      case LogicalOperator _ -> null;
    };
  }

  /** The fields of a document that an operator reads. */
  static Document input(LogicalOperator operator, Document document) {
    return operator.reads().isEmpty() ? document : document.only(operator.reads());
  }
}
