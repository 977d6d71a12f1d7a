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
 * What the harness needs to know of one technique. To add a technique: write a subclass (or, if it
 * carries out maps or filters, use {@link DocumentCase}) and name it in {@link TechniqueCases}.
 */
public abstract class TechniqueCase {

  private final Function<String, PhysicalOperator> technique;
  private final List<LogicalOperator> operators;

  /**
   * A case.
   *
   * @param technique with models whose names begin with the word given
   * @param operators one of every kind that it carries out
   */
  TechniqueCase(Function<String, PhysicalOperator> technique, LogicalOperator... operators) {
    this.technique = technique;
    this.operators = List.of(operators);
  }

  /** The technique under trial, with models whose names begin with {@code old-}. */
  final PhysicalOperator technique() {
    return technique.apply("old-");
  }

  /** The same technique with models whose names begin with {@code new-}: another plan's. */
  final PhysicalOperator successor() {
    return technique.apply("new-");
  }

  /** An operator of every kind that the technique carries out. */
  final List<LogicalOperator> operators() {
    return operators;
  }

  /** A fresh runtime, as a process that has just started has one. */
  abstract OperatorRuntime runtime();

  /**
   * A document that the operator has something to say about: an id and a text.
   *
   * @param marker comes out again where the operator's answer depends on the document; has no
   *     {@code #} in it
   * @param more text that follows
   */
  Document document(String marker, String more) {
    return Document.empty()
        .with("id", TextNode.valueOf("id-" + marker))
        .with("text", TextNode.valueOf("#" + marker + "# " + more));
  }

  /** Fails unless the outcome is the right one for the document of that marker. */
  abstract void assertRight(LogicalOperator operator, String marker, OperatorOutcome outcome);

  /** Whether it calls chat models, so that trials of calls make sense. */
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
