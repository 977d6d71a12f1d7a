/**
 * Expressions in programs, in the Common Expression Language (CEL). {@link
 * dev.abacus.schemas.expression.WhereExpression} compiles one and evaluates it on documents.
 */
@NullMarked
package dev.abacus.schemas.expression;

import org.jspecify.annotations.NullMarked;
