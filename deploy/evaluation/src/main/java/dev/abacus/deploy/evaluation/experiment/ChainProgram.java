package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.List;

/** The program that an experiment stands for: maps one after the other, none can change places. */
final class ChainProgram {

  private ChainProgram() {}

  /**
   * A chain of maps, each of which reads what the one before it writes.
   *
   * @param operators ids, the first upstream of all
   * @throws IllegalArgumentException if an id is no id of an operator
   */
  static Program of(List<String> operators, Objective objective) {
    StringBuilder text =
        new StringBuilder(
            """
            program: experiment
            sources:
              documents: { topic: documents, format: json, key: id }
            results: { topic: results, format: json }
            objective: "%s"
            operators:
            """
                .formatted(objective));
    String reads = "text";
    for (int i = 0; i < operators.size(); i++) {
      String writes = "field_" + i;
      text.append(
          """
            - map: %s
              instruction: Simulated.
              reads: [%s]
              writes: { %s: { type: string } }
          """
              .formatted(operators.get(i), reads, writes));
      if (i == 0) {
        text.append("    input: documents\n");
      }
      reads = writes;
    }
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(text.toString());
    } catch (InvalidTextException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
