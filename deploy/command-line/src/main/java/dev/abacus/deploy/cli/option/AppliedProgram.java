package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.program.Program;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Options that name an applied program, by name or file, and its cluster. */
public final class AppliedProgram extends ProgramOptions {

  @Parameters(index = "0", paramLabel = "PROGRAM", description = "Program name or YAML file.")
  private String given = "";

  @Mixin private KafkaOptions kafka = new KafkaOptions();

  /** The program's name. Does not check that it is applied. */
  public String name() {
    if (!given.matches("[a-z][a-z0-9-]*") || Files.isRegularFile(Path.of(given))) {
      return read(Path.of(given)).name();
    }
    return given;
  }

  /**
   * The program: that of the file if one is given, else the applied one.
   *
   * @throws dev.abacus.deploy.cluster.OperationFailedException if the program is not applied
   */
  public Program definition(ControlState state) {
    return Files.isRegularFile(Path.of(given)) ? read(Path.of(given)) : state.require(name());
  }

  /** The control topic of the cluster. Checks that the cluster answers. */
  public ControlTopic control() {
    return kafka.control(catalogue());
  }

  /** The cluster. Does not check that it answers. */
  public KafkaConnection connection() {
    return kafka.connection();
  }
}
