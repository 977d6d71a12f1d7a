package dev.abacus.deploy.cli;

import dev.abacus.deploy.cli.option.CommandFailure;

/**
 * Adds a command. Implementations are named in {@code
 * META-INF/services/dev.abacus.deploy.cli.CommandExtension} and have a public constructor without
 * parameters.
 */
public interface CommandExtension {

  /**
   * An object annotated with picocli's {@code @Command}, whose name is not taken yet. It may use
   * the mixins of this package, and throw {@link CommandFailure}.
   */
  Object command();
}
