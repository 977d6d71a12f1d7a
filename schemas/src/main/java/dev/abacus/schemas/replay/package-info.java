/**
 * Sends dead letters to the topics that they came from: {@link
 * dev.abacus.schemas.replay.DeadLetterReplay}. The command line and the page use it.
 */
@NullMarked
package dev.abacus.schemas.replay;

import org.jspecify.annotations.NullMarked;
