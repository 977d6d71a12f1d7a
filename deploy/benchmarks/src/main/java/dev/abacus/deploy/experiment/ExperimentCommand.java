package dev.abacus.deploy.experiment;

import dev.abacus.deploy.command.CommandExtension;

/** {@code abacus experiment}. */
public final class ExperimentCommand implements CommandExtension {

  /** For the service loader. */
  public ExperimentCommand() {}

  @Override
  public Object command() {
    return new Experiment();
  }
}
