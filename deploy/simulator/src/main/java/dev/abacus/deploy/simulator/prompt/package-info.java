/**
 * Parses prompts. Read {@link dev.abacus.deploy.simulator.prompt.Prompt}, {@link
 * dev.abacus.deploy.simulator.prompt.DocumentSection}, {@link
 * dev.abacus.deploy.simulator.prompt.FieldShape} for the schema of the answer, and {@link
 * dev.abacus.deploy.simulator.prompt.PromptInjection}.
 */
@NullMarked
package dev.abacus.deploy.simulator.prompt;

import org.jspecify.annotations.NullMarked;
