package dev.abacus.topology.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Results;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Stage;
import dev.abacus.schemas.program.Stages;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.util.List;

/**
 * The parts of a program that decide the topics and stores of its topology. Programs of one shape
 * can continue with each other's pending documents and windows; instructions, models and the
 * operators within a segment do not matter.
 */
public record ProgramShape(List<Source> sources, List<Part> parts, Results results) {

  /** Fields of stateful operators that only change prompts and estimates. */
  private static final List<String> WORDING = List.of("instruction", "condition", "fanout");

  /**
   * A stage: the names of its stores and topics derive from its id.
   *
   * @param operator the stateful operator as JSON; empty for a segment
   */
  public record Part(String id, List<String> inputs, String operator) {}

  /** The shape of a program. */
  public static ProgramShape of(Program program) {
    return new ProgramShape(
        program.sources(),
        Stages.of(program).stream().map(ProgramShape::part).toList(),
        program.results());
  }

  private static Part part(Stage stage) {
    return switch (stage) {
      case Stage.Segment segment -> new Part(segment.id(), segment.inputs(), "");
      case Stage.Stateful stateful ->
          new Part(stateful.id(), stateful.inputs(), layout(stateful.operator()));
    };
  }

  private static String layout(LogicalOperator operator) {
    ObjectNode node = ProgramWriter.write(operator);
    node.remove(WORDING);
    return node.toString();
  }

  /** Whether two programs have one shape. */
  public static boolean same(Program one, Program other) {
    return one.equals(other) || of(one).equals(of(other));
  }
}
