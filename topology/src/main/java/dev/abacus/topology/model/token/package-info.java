/**
 * Tokens as the model counts them.
 *
 * <p>Reading order: {@link dev.abacus.topology.model.token.TokenCount} is a number with its
 * interval. {@link dev.abacus.topology.model.token.Tokenizer} counts a text; {@link
 * dev.abacus.topology.model.token.Tokenizers} chooses the one of a model. {@link
 * dev.abacus.topology.model.token.TokenCounter} counts requests with messages, schema and {@link
 * dev.abacus.topology.model.token.MediaTokens files}; {@link
 * dev.abacus.topology.model.token.ContextGuard} applies it to context sizes, {@link
 * dev.abacus.topology.model.token.SharedPrefixes} to what prompts about different documents share.
 */
@NullMarked
package dev.abacus.topology.model.token;

import org.jspecify.annotations.NullMarked;
