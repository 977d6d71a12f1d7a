package dev.abacus.schemas.program;

import java.util.List;

/** A part of a program that runs as one processor. {@link Stages} divides a program into stages. */
public sealed interface Stage {

  /** Unique within the program, and stable as long as the operators do not change. */
  String id();

  /** Ids of the stages, or names of the sources, that it reads from. */
  List<String> inputs();

  /** Its operators, in an order in which they may run. */
  List<LogicalOperator> operators();

  /**
   * Per-document operators, which one processor applies to a document in the order of the plan;
   * joins of branches among them. A segment without operators only admits or emits documents.
   *
   * @param input a source, a stateful operator, or a segment that several segments read from
   */
  record Segment(String id, String input, List<LogicalOperator> operators) implements Stage {
    public Segment {
      operators = List.copyOf(operators);
    }

    @Override
    public List<String> inputs() {
      return List.of(input);
    }
  }

  /** An operator over several documents. */
  record Stateful(LogicalOperator operator, List<String> inputs) implements Stage {
    public Stateful {
      inputs = List.copyOf(inputs);
    }

    @Override
    public String id() {
      return operator.id();
    }

    @Override
    public List<LogicalOperator> operators() {
      return List.of(operator);
    }
  }
}
