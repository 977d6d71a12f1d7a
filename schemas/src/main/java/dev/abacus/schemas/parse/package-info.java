/**
 * Strict reading of what users write by hand, YAML or JSON: {@link
 * dev.abacus.schemas.parse.StrictNode} remembers lines and keys, {@link
 * dev.abacus.schemas.parse.InvalidTextException} reports every mistake with them.
 */
@NullMarked
package dev.abacus.schemas.parse;

import org.jspecify.annotations.NullMarked;
