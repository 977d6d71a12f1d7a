/**
 * The vocabulary of the two planes. Read the packages in this order: {@code document}, {@code
 * program} (with {@code text}, how it is read), {@code objective}, {@code plan}, {@code
 * observation}, {@code control}, {@code model}, {@code topic}, {@code avro}.
 */
@NullMarked
package dev.abacus.schemas;

import org.jspecify.annotations.NullMarked;
