/**
 * Strict reading of what users write by hand, YAML or JSON: {@link
 * dev.abacus.schemas.text.StrictNode} remembers lines and keys, {@link
 * dev.abacus.schemas.text.InvalidTextException} reports every mistake with them.
 */
@NullMarked
package dev.abacus.schemas.text;

import org.jspecify.annotations.NullMarked;
