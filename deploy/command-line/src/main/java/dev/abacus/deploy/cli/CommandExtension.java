package dev.abacus.deploy.cli;

/**
 * A command of another module: annotated with picocli's {@code @Command}, with a unique name and a
 * public no-argument constructor. It may use the mixins of {@code cli.option} and throw {@code
 * CommandFailure}. Register it in {@code META-INF/services/dev.abacus.deploy.cli.CommandExtension}.
 */
public interface CommandExtension {}
