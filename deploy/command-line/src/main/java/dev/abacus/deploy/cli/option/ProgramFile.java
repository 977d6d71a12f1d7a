package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Argument that names a program file. */
public final class ProgramFile {

  @Parameters(index = "0", paramLabel = "PROGRAM.yaml", description = "Program file, YAML or JSON.")
  private Path path = Path.of("");

  @Mixin private ProgramOptions programs = new ProgramOptions();

  /** The path of the file. */
  public Path path() {
    return path;
  }

  /**
   * Parses the file.
   *
   * @throws CommandFailure with every error in it
   */
  public Program read() {
    return programs.read(path);
  }

  /** The model catalogue. */
  public ModelCatalogue catalogue() {
    return programs.catalogue();
  }

  /** The options of the file. */
  public ProgramOptions options() {
    return programs;
  }
}
