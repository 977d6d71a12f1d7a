/** A second provider beside {@code openai}, which proves that the interface of providers holds. */
@NullMarked
package dev.abacus.topology.model.langchain;

import org.jspecify.annotations.NullMarked;
