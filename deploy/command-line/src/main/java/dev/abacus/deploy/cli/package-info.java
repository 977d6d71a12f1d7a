/**
 * The command line.
 *
 * <p>Reading order: {@link dev.abacus.deploy.cli.Abacus} is the main class. {@link
 * dev.abacus.deploy.cli.RootCommand} names the commands of {@code run}, {@code control} and {@code
 * plan}; each command is one class. {@link dev.abacus.deploy.cli.CommandExtension} lets another
 * module add a command. {@link dev.abacus.deploy.cli.FailureReporter} turns every failure into two
 * lines on standard error: what failed, and what to do.
 */
@NullMarked
package dev.abacus.deploy.cli;

import org.jspecify.annotations.NullMarked;
