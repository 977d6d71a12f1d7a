package dev.abacus.schemas.program;

import java.util.List;

/** A part of a program that runs as one processor; {@link Stages} finds them. */
public sealed interface Stage {

  /** Unique within the program, and stable while the program's operators are. */
  String id();

  /** Ids of the stages, or names of the sources, whose documents it takes. */
  List<String> inputs();

  /** Its operators, in an order in which they may run. */
  List<LogicalOperator> operators();

  /**
   * Per-document operators, which one processor carries a document through in the plan's order. May
   * have none: then it only lets documents in, or out.
   *
   * @param input a source, a stateful operator, or a segment that several segments go on from
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

  /** An operator that needs to see several documents. */
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
