/**
 * Reads prompts: {@link dev.abacus.deploy.simulator.prompt.Prompt} takes one apart, {@link
 * dev.abacus.deploy.simulator.prompt.DocumentSection} is what it shows of documents, {@link
 * dev.abacus.deploy.simulator.prompt.PromptInjection} finds instructions that hide in there, {@link
 * dev.abacus.deploy.simulator.prompt.FieldShape} is the schema of what is asked for.
 */
@NullMarked
package dev.abacus.deploy.simulator.prompt;

import org.jspecify.annotations.NullMarked;
