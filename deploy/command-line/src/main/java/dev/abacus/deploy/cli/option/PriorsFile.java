package dev.abacus.deploy.cli.option;

import dev.abacus.optimizer.api.ProgramPriors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.List;

/** Reads the priors of a program from files. */
public final class PriorsFile {

  /** Values of {@code --priors} that are not files. */
  static final String NAIVE = "naive";

  public static final String NONE = "none";

  private PriorsFile() {}

  /**
   * Reads and checks a priors file of the program.
   *
   * @throws CommandFailure with key and reason if the file is invalid
   */
  public static String read(Path file, Program program, ModelCatalogue catalogue, Output output) {
    String text = ProgramOptions.text(file);
    List<String> unknown =
        CommandFailure.checked(
            file,
            () -> ProgramPriors.check(text, program, catalogue),
            "Correct the file; `abacus priors` writes one for a program.");
    if (!unknown.isEmpty()) {
      output.note(
          "%s: %d implementations that there are not are left out, %s among them"
              .formatted(file, unknown.size(), unknown.getFirst()));
    }
    return text;
  }

  /** The text of a priors file, or of the naive priors for {@code naive}. */
  public static String resolve(
      String source, Program program, ModelCatalogue catalogue, Output output) {
    return source.equals(NAIVE)
        ? ProgramPriors.naive(program, catalogue).json()
        : read(Path.of(source), program, catalogue, output);
  }
}
