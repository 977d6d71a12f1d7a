package dev.abacus.topology.harness;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.List;
import java.util.function.Function;

/**
 * Describes one technique to the harness. To add a technique, write a subclass (or use {@link
 * DocumentCase} for maps and filters) and add it to {@link TechniqueCases}.
 */
public abstract class TechniqueCase {

  private final Function<String, PhysicalOperator> technique;
  private final List<LogicalOperator> operators;

  /**
   * A case.
   *
   * @param technique builds the technique; its model names begin with the given prefix
   * @param operators one operator of every type that the technique runs
   */
  TechniqueCase(Function<String, PhysicalOperator> technique, LogicalOperator... operators) {
    this.technique = technique;
    this.operators = List.of(operators);
  }

  /** The technique under test; its model names begin with {@code old-}. */
  final PhysicalOperator technique() {
    return technique.apply("old-");
  }

  /** The same technique in another plan; its model names begin with {@code new-}. */
  final PhysicalOperator successor() {
    return technique.apply("new-");
  }

  /** One operator of every type that the technique runs. */
  final List<LogicalOperator> operators() {
    return operators;
  }

  /** A new runtime, as after a start of the process. */
  abstract OperatorRuntime runtime();

  /**
   * A document for the operator: an id and a text.
   *
   * @param marker part of the output if the answer depends on the document; without {@code #}
   * @param more the text behind the marker
   */
  Document document(String marker, String more) {
    return Document.empty()
        .with("id", TextNode.valueOf("id-" + marker))
        .with("text", TextNode.valueOf("#" + marker + "# " + more));
  }

  /** Fails unless the outcome is correct for the document with this marker. */
  abstract void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome);

  /** Whether the technique calls chat models. */
  boolean callsModels() {
    return !technique().chatModels().isEmpty();
  }

  /** Whether a document without the fields that the operator reads is a failure. */
  boolean needsItsFields() {
    return callsModels();
  }

  @Override
  public String toString() {
    return technique().id();
  }
}
