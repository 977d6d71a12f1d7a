/**
 * {@code abacus replay}: {@link dev.abacus.deploy.cli.replay.ReplayCommand} runs a candidate on
 * documents that were processed, {@link dev.abacus.deploy.cli.replay.ReplayReport} prints what
 * differs.
 */
@NullMarked
package dev.abacus.deploy.cli.replay;

import org.jspecify.annotations.NullMarked;
