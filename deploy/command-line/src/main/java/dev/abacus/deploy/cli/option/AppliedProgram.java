package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The program that a command is about, by its name or its file, and where it is applied. */
public final class AppliedProgram {

  @Parameters(
      index = "0",
      paramLabel = "PROGRAM",
      description = "Name of a program, or its YAML file.")
  private String given = "";

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();

  /** Its name; whether it is applied is not looked at. */
  public String name() {
    if (!given.matches("[a-z][a-z0-9-]*") || Files.isRegularFile(Path.of(given))) {
      Program program = programs.read(Path.of(given));
      return program.name();
    }
    return given;
  }

  /** The models that it may name. */
  public ModelCatalogue catalogue() {
    return programs.catalogue();
  }

  /** The control topic of its cluster, which answered just now. */
  public ControlTopic control() {
    return kafka.control(catalogue());
  }

  /** Its cluster, without a check. */
  public KafkaConnection connection() {
    return kafka.connection();
  }
}
