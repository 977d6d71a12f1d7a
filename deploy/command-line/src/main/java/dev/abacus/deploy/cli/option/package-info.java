/**
 * Options, files and arguments that several commands share, as picocli mixins. {@link
 * dev.abacus.deploy.cli.option.ProgramCommand} is a command on an applied program, {@link
 * dev.abacus.deploy.cli.option.KafkaOptions} connects to a cluster, {@link
 * dev.abacus.deploy.cli.option.Output} prints text or JSON, and {@link
 * dev.abacus.deploy.cli.option.CommandFailure} ends a command with an exit code, a reason and a
 * remedy.
 */
@NullMarked
package dev.abacus.deploy.cli.option;

import org.jspecify.annotations.NullMarked;
