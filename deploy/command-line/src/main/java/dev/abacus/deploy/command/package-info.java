/**
 * The command line. {@link dev.abacus.deploy.command.Abacus} is the main class, {@link
 * dev.abacus.deploy.command.RootCommand} names the commands, and each command is one class; other
 * modules add theirs as {@link dev.abacus.deploy.command.CommandExtension}. Shared options are
 * mixins ({@link dev.abacus.deploy.command.KafkaOptions}, {@link
 * dev.abacus.deploy.command.ProgramOptions}, {@link dev.abacus.deploy.command.Output}); whatever
 * fails becomes two lines in {@link dev.abacus.deploy.command.FailureReporter}.
 */
@NullMarked
package dev.abacus.deploy.command;

import org.jspecify.annotations.NullMarked;
