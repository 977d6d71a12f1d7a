/**
 * The command line. {@link dev.abacus.deploy.cli.Abacus} is the main class, {@link
 * dev.abacus.deploy.cli.RootCommand} names the commands, and each command is one class; other
 * modules add theirs as {@link dev.abacus.deploy.cli.CommandExtension}. Shared options are mixins
 * ({@link dev.abacus.deploy.cli.KafkaOptions}, {@link dev.abacus.deploy.cli.ProgramOptions}, {@link
 * dev.abacus.deploy.cli.Output}); whatever fails becomes two lines in {@link
 * dev.abacus.deploy.cli.FailureReporter}.
 */
@NullMarked
package dev.abacus.deploy.cli;

import org.jspecify.annotations.NullMarked;
