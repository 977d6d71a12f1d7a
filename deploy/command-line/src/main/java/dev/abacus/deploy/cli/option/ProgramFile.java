package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The program that a command is about, as it stands in a file. */
public final class ProgramFile {

  @Parameters(index = "0", paramLabel = "PROGRAM.yaml", description = "YAML or JSON.")
  private Path path = Path.of("");

  @Mixin private ProgramOptions programs = new ProgramOptions();

  /** Where it stands. */
  public Path path() {
    return path;
  }

  /**
   * Reads it.
   *
   * @throws CommandFailure with every mistake in it
   */
  public Program read() {
    return programs.read(path);
  }

  /** The models that it may name. */
  public ModelCatalogue catalogue() {
    return programs.catalogue();
  }

  /** The file of additional models, or null. */
  public @Nullable Path modelsFile() {
    return programs.modelsFile();
  }
}
