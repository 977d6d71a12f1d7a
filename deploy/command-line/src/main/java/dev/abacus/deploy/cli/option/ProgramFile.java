package dev.abacus.deploy.cli.option;

import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/** Argument that names a program file, and the options for parsing it. */
public final class ProgramFile extends ProgramOptions {

  @Parameters(index = "0", paramLabel = "PROGRAM.yaml", description = "Program file, YAML or JSON.")
  private Path path = Path.of("");

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
    return read(path);
  }
}
