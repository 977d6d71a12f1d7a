package dev.abacus.deploy.cli;

/**
 * Adds a command. Register an implementation with a public no-argument constructor in {@code
 * META-INF/services/dev.abacus.deploy.cli.CommandExtension}.
 */
public interface CommandExtension {

  /**
   * An object annotated with picocli's {@code @Command} and a unique name. It may use the mixins of
   * {@code cli.option} and throw {@code CommandFailure}.
   */
  Object command();
}
