package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.deploy.cli.CommandExtension;

/** {@code abacus experiment}. */
public final class ExperimentCommand implements CommandExtension {

  /** For the service loader. */
  public ExperimentCommand() {}

  @Override
  public Object command() {
    return new Experiment();
  }
}
