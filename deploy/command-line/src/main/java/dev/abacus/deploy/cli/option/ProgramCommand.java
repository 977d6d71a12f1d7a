package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.program.Program;
import picocli.CommandLine.Mixin;

/** A command on an applied program: reads the control topic, and fails if it is not applied. */
public abstract class ProgramCommand implements Runnable {

  @Mixin protected final AppliedProgram program = new AppliedProgram();
  @Mixin protected final Output output = new Output();

  /**
   * Checks the options, before the cluster is asked.
   *
   * @throws CommandFailure if one of them is wrong
   */
  protected void check() {}

  /**
   * Carries the command out.
   *
   * @param applied the program
   * @param state what the control topic has
   */
  protected abstract void run(Program applied, ControlTopic control, ControlState state);

  @Override
  public final void run() {
    check();
    String name = program.name();
    ControlTopic control = program.control();
    ControlState state = control.read();
    run(state.require(name), control, state);
  }
}
